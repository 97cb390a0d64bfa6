import { isDeepStrictEqual } from 'node:util';
import { moveConversations } from '#lib/features/leads/contacts/contact-conversations.ts';
import {
  type Contact,
  contactEvent,
  planContactChange,
  planContactMerge,
  requireContact,
} from '#lib/features/leads/contacts/contacts.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { absent, allOf, equals } from '#lib/platform/db/conditions.ts';
import { leadKeys, leadRanges } from '#lib/platform/db/keys/leads.ts';
import { get, query } from '#lib/platform/db/read.ts';
import { retryWhenOvertaken } from '#lib/platform/db/retry-when-overtaken.ts';
import {
  applied,
  change,
  create,
  type ExtraWrites,
  remove,
  write,
} from '#lib/platform/db/write.ts';
import { badRequest, notFound } from '#lib/platform/errors/failures.ts';
import { organizationEventPlanner } from '#lib/platform/webhooks/organization-events.ts';
import { maxTags } from '#schemas/leads.ts';
import { moveActivities } from './activities.ts';
import { fieldsFor } from './custom-values.ts';
import type { Lead } from './lead.ts';
import { planLeadChangedEvents } from './lead-events.ts';
import { planTagRows, tagsAre } from './lead-tags.ts';
import { removeLead } from './remove-lead.ts';

/**
 * Merges a duplicate into a contact. The contact receives the duplicate's leads, conversations,
 * placeholder addresses, and any missing details. Then the duplicate is removed. Each step keeps
 * claims and counters consistent, so a merge can be interrupted and restarted. The duplicate is
 * removed only when it has no leads and nothing new to copy, so leads that are added concurrently
 * are merged too.
 *
 * @throws 400 if both are the same contact, 404 for an unknown contact.
 */
export async function mergeContacts(
  organizationId: string,
  contactId: string,
  duplicateId: string,
  extraWrites: ExtraWrites<void>,
): Promise<void> {
  if (contactId === duplicateId) {
    throw badRequest('duplicateId must be the id of a different contact');
  }
  await retryWhenOvertaken('contact', async () => {
    const [contact, duplicate] = await Promise.all([
      requireContact(organizationId, contactId),
      requireContact(organizationId, duplicateId),
    ]);
    const filled = await fillFrom(contact, duplicate);
    const claims = await query<{ leadId: string }>(
      leadRanges.leadClaims(organizationId, duplicateId),
    );
    for (const { leadId } of claims) {
      await transferLead(organizationId, leadId, duplicateId, contactId);
    }
    const [planEvents, fields] = await Promise.all([
      organizationEventPlanner(organizationId),
      fieldsFor(organizationId, [filled.customValues, duplicate.customValues]),
      moveConversations(organizationId, duplicateId, contactId),
    ]);
    await write(
      ...(await extraWrites()),
      ...planContactMerge(filled, duplicate),
      ...planEvents([
        contactEvent('contact.updated', filled, fields),
        contactEvent('contact.deleted', duplicate, fields),
      ]),
    );
  });
}

/** Name and email address are always present. Only the other fields can be missing. */
async function fillFrom(
  contact: Contact,
  { phone, company, tags = [], customValues }: Contact,
): Promise<Contact> {
  const allTags = [...new Set([...(contact.tags ?? []), ...tags])].slice(0, maxTags);
  const allValues = { ...customValues, ...contact.customValues };
  const filled = {
    ...(!contact.phone && phone ? { phone } : {}),
    ...(!contact.company && company ? { company } : {}),
    ...(allTags.length > (contact.tags?.length ?? 0) ? { tags: allTags } : {}),
    ...(isDeepStrictEqual(allValues, contact.customValues ?? {})
      ? {}
      : { customValues: allValues }),
  };
  if (Object.keys(filled).length === 0) {
    return contact;
  }
  await write(...planContactChange(contact, filled));

  return applied(contact, { ...filled, version: contact.version + 1 });
}

/** Moves a lead to the contact, or merges it into the contact's existing lead in that pipeline. */
async function transferLead(
  organizationId: string,
  leadId: string,
  duplicateId: string,
  contactId: string,
): Promise<void> {
  await retryWhenOvertaken('lead', async () => {
    const lead = await get<Lead>(leadKeys.lead(organizationId, leadId));
    if (lead?.contactId !== duplicateId) {
      return;
    }
    const claim = await get<{ leadId: string }>(
      leadKeys.leadClaim(organizationId, contactId, lead.pipelineId),
    );
    if (!claim) {
      await reassignLead(contactId, lead);

      return;
    }
    await moveActivities(organizationId, leadId, claim.leadId);
    await removeLead(lead, claim.leadId);
  });
}

async function reassignLead(contactId: string, lead: Lead): Promise<void> {
  const { organizationId, id, pipelineId, contactId: formerId } = lead;
  const updatedAt = timestamp();
  const eventWrites = await planLeadChangedEvents(lead, { ...lead, contactId, updatedAt });
  await write(
    create(leadKeys.leadClaim(organizationId, contactId, pipelineId), { leadId: id }),
    remove(leadKeys.leadClaim(organizationId, formerId, pipelineId), {
      when: equals('leadId', id),
    }),
    change(leadKeys.lead(organizationId, id), {
      set: { contactId, updatedAt },
      when: allOf(equals('contactId', formerId), tagsAre(lead)),
    }),
    ...planTagRows({ ...lead, contactId }),
    change(leadKeys.contact(organizationId, contactId), {
      add: { leadCount: 1 },
      when: absent('erasureId'),
      onConditionFailed: () => notFound('Contact'),
    }),
    change(leadKeys.contact(organizationId, formerId), {
      add: { leadCount: -1 },
      when: absent('erasureId'),
      onConditionFailed: () => notFound('Contact'),
    }),
    ...eventWrites,
  );
}
