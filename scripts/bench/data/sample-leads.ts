import type { Contact } from '#lib/features/leads/contacts/contacts.ts';
import type { Lead } from '#lib/features/leads/lead.ts';
import { dayMs, secondMs } from '#lib/platform/clock.ts';
import { listOf } from '#lib/platform/db/lists/shards.ts';
import { idAt, newId } from '#lib/platform/ids.ts';
import { leadStatuses } from '#schemas/leads.ts';

/** The organization of the leads, and the records that they link to. */
export type SampleTenant = {
  readonly organizationId: string;
  readonly pipelineId: string;
  /** One stage per status, in the same order. */
  readonly stageIds: readonly string[];
  readonly assigneeIds: readonly string[];
  readonly socialAccountId: string;
  readonly contentPostId: string;
};

export type SampleLead = { readonly lead: Lead; readonly contact: Contact };

export const sources = ['website', 'facebook', 'referral', 'import'] as const;
export const utmCampaigns = ['spring', 'summer', 'autumn', 'winter'] as const;

/** Leads at this distance differ only in their ids, times and values. */
export const samplePeriod = leadStatuses.length * sources.length;

/** Every tenth lead has this tag. */
export const sampleTag = 'vip';
/** A quarter of the leads have this value. The others have lower ones. */
export const highValue = 75_000;
const valueStep = 25_000;

/** One lead is created per second, starting at this time. */
const startMs = Date.parse('2026-01-05T09:00:00.000Z');
const stayMs = 2 * dayMs;
const stay = { count: 1, ms: stayMs };

/** Returns when the lead with this number was created. */
export function sampleTime(index: number): string {
  return new Date(startMs + index * secondMs).toISOString();
}

function at<T>(values: readonly T[], index: number): T {
  const value = values[index % values.length];
  if (value === undefined) {
    throw new Error('The list is empty');
  }

  return value;
}

/** Returns the lead with this number and its contact. All values are distributed evenly. */
export function sampleLead(tenant: SampleTenant, index: number): SampleLead {
  const { organizationId } = tenant;
  const contact = sampleContact(organizationId, index);
  const createdAt = sampleTime(index);
  const laterAt = new Date(Date.parse(createdAt) + stayMs).toISOString();
  const id = idAt(Date.parse(createdAt));
  const status = at(leadStatuses, index);
  const isMoved = status !== 'NEW';
  const isSocial = index % 4 === 0;
  const lead: Lead = {
    id,
    organizationId,
    list: listOf('lead', id),
    contactId: contact.id,
    pipelineId: tenant.pipelineId,
    stageId: at(tenant.stageIds, index),
    source: at(sources, index),
    value: valueStep * (Math.floor(index / samplePeriod) % 4),
    ...(index % 10 === 0 ? { tags: [sampleTag] } : {}),
    status,
    assignedToId: at(tenant.assigneeIds, index),
    utmCampaign: at(utmCampaigns, index),
    ...(isSocial
      ? { socialAccountId: tenant.socialAccountId, contentPostId: tenant.contentPostId }
      : {}),
    ...(status === 'CONVERTED' ? { convertedAt: laterAt } : {}),
    stageEnteredAt: isMoved ? laterAt : createdAt,
    stays: isMoved ? { [at(tenant.stageIds, 0)]: stay } : {},
    createdAt,
    updatedAt: isMoved ? laterAt : createdAt,
  };

  return { lead, contact };
}

function sampleContact(organizationId: string, index: number): Contact {
  const id = newId();

  return {
    id,
    organizationId,
    list: listOf('contact', id),
    name: 'Charles Babbage',
    email: `charles${index}@example.com`,
    company: 'Difference Ltd',
    leadCount: 1,
    version: 1,
    createdAt: sampleTime(index),
    updatedAt: sampleTime(index),
  };
}
