import type { Contact } from '#lib/features/leads/contacts/contacts.ts';
import type { Lead } from '#lib/features/leads/lead.ts';
import { listShards, shardOf } from '#lib/platform/db/sharded-list.ts';
import { newId } from '#lib/platform/ids.ts';
import { leadStatuses } from '#schemas/leads.ts';

/** The organization of the leads, and the records they link to. */
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

/** Leads at this distance differ only in their ids. */
export const samplePeriod = leadStatuses.length * sources.length;

const createdAt = '2026-01-05T09:00:00.000Z';
const laterAt = '2026-01-07T09:00:00.000Z';
const stay = { count: 1, ms: Date.parse(laterAt) - Date.parse(createdAt) };

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
  const id = newId();
  const status = at(leadStatuses, index);
  const isMoved = status !== 'NEW';
  const isSocial = index % 4 === 0;
  const lead: Lead = {
    id,
    organizationId,
    list: 'lead',
    listShard: shardOf(id, listShards),
    contactId: contact.id,
    pipelineId: tenant.pipelineId,
    stageId: at(tenant.stageIds, index),
    source: at(sources, index),
    value: 50_000,
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
    list: 'contact',
    listShard: shardOf(id, listShards),
    name: 'Charles Babbage',
    email: `charles${index}@example.com`,
    company: 'Difference Ltd',
    leadCount: 1,
    version: 1,
    createdAt,
    updatedAt: createdAt,
  };
}
