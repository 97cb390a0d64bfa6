import type { Attribution } from '#lib/features/attribution/attribution.ts';
import type { AnsweredBy } from '#lib/features/conversations/conversation.ts';
import { leadKeys, leadRanges } from '#lib/platform/db/keys/leads.ts';
import type { ListShard } from '#lib/platform/db/lists/sharded-list.ts';
import { get, query } from '#lib/platform/db/read.ts';
import { notFound, requireFound } from '#lib/platform/errors/failures.ts';
import type { LeadStatus } from '#schemas/leads.ts';
import { activitiesOfItems, type StoredActivity } from './activities.ts';
import type { CustomField } from './custom-fields.ts';
import { type CustomValues, fieldsFor, presentValues } from './custom-values.ts';

/** Number and total duration of a lead's stays in the stages that it has left. */
export type Stays = Readonly<Record<string, { readonly count: number; readonly ms: number }>>;

export type Lead = {
  readonly id: string;
  readonly organizationId: string;
  readonly list: ListShard<'lead'>;
  readonly contactId: string;
  readonly pipelineId: string;
  readonly stageId: string;
  readonly source: string;
  readonly value?: number;
  /** The same as `value`, and stored together with it. */
  readonly rank?: number;
  readonly status: LeadStatus;
  readonly assignedToId?: string;
  readonly notes?: string;
  /** Without duplicates. Absent if there are none. */
  readonly tags?: readonly string[];
  readonly customValues?: CustomValues;
  readonly utmSource?: string;
  readonly utmMedium?: string;
  readonly utmCampaign?: string;
  readonly campaignId?: string;
  readonly conversationId?: string;
  readonly socialAccountId?: string;
  readonly contentPostId?: string;
  /** Set for leads from conversations. */
  readonly attribution?: Attribution;
  readonly convertedAt?: string;
  /** The agent and template credited with the conversion. */
  readonly convertedBy?: AnsweredBy;
  /** The same for the private conversation that continues the lead's comment. */
  readonly convertedInPrivateBy?: AnsweredBy;
  readonly stageEnteredAt: string;
  readonly stays: Stays;
  readonly createdAt: string;
  /**
   * The day of `createdAt` in the organization's time zone. Not updated if the time zone changes.
   */
  readonly createdOn?: string;
  readonly updatedAt: string;
};

/** Returns the lead in the API's format, without linked records. */
export function presentLead(lead: Lead, fields: readonly CustomField[]) {
  return {
    ...lead,
    tags: lead.tags ?? [],
    customFields: presentValues(fields, 'LEAD', lead.customValues),
    converted: lead.status === 'CONVERTED',
  };
}

/** The same for a lead whose custom fields have not been read yet. */
export async function presentChangedLead(lead: Lead) {
  return presentLead(lead, await fieldsFor(lead.organizationId, [lead.customValues]));
}

/** @throws 404 */
export async function requireLead(organizationId: string, leadId: string): Promise<Lead> {
  return requireFound(await get<Lead>(leadKeys.lead(organizationId, leadId)), 'Lead');
}

const shownActivities = 100;

/** Returns a lead with its latest activities, in one query. @throws 404 */
export async function requireLeadWithActivities(organizationId: string, leadId: string) {
  const items = await query<Lead | StoredActivity>(
    leadRanges.leadAndActivities(organizationId, leadId),
    {
      newestFirst: true,
      limit: shownActivities + 1,
    },
  );
  const [lead, ...activities] = items;
  if (!lead || !('stageId' in lead)) {
    throw notFound('Lead');
  }

  return {
    lead,
    activities: activitiesOfItems(activities as readonly StoredActivity[]).slice(
      0,
      shownActivities,
    ),
  };
}
