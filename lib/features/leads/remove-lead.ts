import { planConversionCount } from '#lib/features/leads/analytics/conversion-counts.ts';
import { allOf } from '#lib/platform/db/conditions.ts';
import { leadKeys } from '#lib/platform/db/keys/leads.ts';
import { retryWhenOvertaken } from '#lib/platform/db/retry-when-overtaken.ts';
import { change, discard, ensure, remove, type Write, write } from '#lib/platform/db/write.ts';
import { planOrganizationEvent } from '#lib/platform/webhooks/organization-events.ts';
import { planWork } from '#lib/platform/work/outbox.ts';
import { fieldsFor } from './custom-values.ts';
import { asRead, type Lead, requireLead, unchanged } from './lead.ts';
import { planLeadCount } from './lead-counters.ts';
import { leadEvent } from './lead-events.ts';
import { planTagChange } from './lead-tags.ts';

/**
 * Permanently deletes a lead. The lead and its counts are removed immediately. A worker removes its
 * activities, which are no longer visible.
 */
export async function deleteLead(organizationId: string, leadId: string): Promise<void> {
  await retryWhenOvertaken('lead', async () => {
    await removeLead(await requireLead(organizationId, leadId));
  });
}

/**
 * Deletes a lead, unless it has changed since it was read. `mergedInto` must be an existing lead,
 * which receives the remaining activities.
 */
export async function removeLead(lead: Lead, mergedInto?: string): Promise<void> {
  const { organizationId, id } = lead;
  const fields = await fieldsFor(organizationId, [lead.customValues]);
  const event = await planOrganizationEvent(
    organizationId,
    leadEvent('lead.deleted', lead, undefined, fields),
  );
  const removal = planWork('leadRemoval', {
    owner: leadKeys.lead(organizationId, id),
    payload: { organizationId, leadId: id, mergedInto },
  });
  await write(
    ...planLeadRemoval(lead),
    ...(mergedInto ? [ensure(leadKeys.lead(organizationId, mergedInto))] : []),
    ...event,
    removal,
  );
}

/** Plans to remove a lead with its claim and counts, unless it has changed since it was read. */
export function planLeadRemoval(lead: Lead): readonly Write[] {
  const { organizationId, id, contactId, pipelineId } = lead;

  return [
    remove(leadKeys.lead(organizationId, id), {
      when: allOf(asRead(lead), unchanged(lead, 'contactId')),
    }),
    discard(leadKeys.leadClaim(organizationId, contactId, pipelineId)),
    change(leadKeys.contact(organizationId, contactId), { add: { leadCount: -1 } }),
    ...planLeadCount(lead, undefined),
    ...planConversionCount(lead, undefined),
    ...planTagChange(lead, undefined),
  ];
}
