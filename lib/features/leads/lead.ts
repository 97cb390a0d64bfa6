import type { Attribution } from '#lib/features/attribution/attribution.ts';
import type { AnsweredBy } from '#lib/features/conversations/conversation.ts';
import { absent, allOf, type Condition, equals } from '#lib/platform/db/conditions.ts';
import { leadKeys } from '#lib/platform/db/keys/leads.ts';
import type { ListShard } from '#lib/platform/db/lists/shards.ts';
import { get } from '#lib/platform/db/read.ts';
import { requireFound } from '#lib/platform/errors/failures.ts';
import type { LeadStatus } from '#schemas/leads.ts';
import type { CustomField } from './custom-field.ts';
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

export function unchanged<Field extends keyof Lead>(lead: Lead, field: Field): Condition {
  return lead[field] === undefined ? absent(field) : equals(field, lead[field]);
}

/**
 * The fields that counters and lists depend on, and fields that are merged. A counter can depend on
 * several of them, for example the total value of an assignee's leads. If one changes, all must be
 * unchanged since they were read.
 */
export const guardedFields = [
  'status',
  'stageId',
  'value',
  'assignedToId',
  'stageEnteredAt',
  'convertedAt',
  'tags',
  'customValues',
  'attribution',
] as const;

/** The condition that nothing changed that counters and lists are computed from. */
export function asRead(lead: Lead): Condition {
  return allOf(...guardedFields.map((field) => unchanged(lead, field)));
}
