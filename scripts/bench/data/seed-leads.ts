import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { asRanked } from '#lib/features/leads/create-lead.ts';
import {
  counterShards,
  facetAmounts,
  facetValue,
  pipelineAmounts,
} from '#lib/features/leads/lead-counters.ts';
import { leadFacets } from '#lib/platform/db/keys/leads.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { shardOf } from '#lib/platform/db/lists/shards.ts';
import { newId } from '#lib/platform/ids.ts';
import { type SampleLead, type SampleTenant, sampleLead, utmCampaigns } from './sample-leads.ts';
import { createSums, type Item, putAll } from './seed-items.ts';

const leadsAtOnce = 1_000;

/**
 * Writes `size` leads with contacts and counters as the service would, except for the contacts'
 * search words, which no lead operation reads. Returns the lead ids, oldest first.
 */
export async function seedLeads(
  client: DynamoDBDocumentClient,
  tenant: SampleTenant,
  size: number,
): Promise<readonly string[]> {
  const counters = createCounters();
  const ids: string[] = [];
  await putAll(client, linkedItems(tenant));
  while (ids.length < size) {
    const count = Math.min(leadsAtOnce, size - ids.length);
    const first = ids.length;
    const samples = Array.from({ length: count }, (_, index) => sampleLead(tenant, first + index));
    for (const sample of samples) {
      counters.add(sample);
      ids.push(sample.lead.id);
    }
    await putAll(client, samples.flatMap(itemsOf));
  }
  await putAll(client, counters.items());

  return ids;
}

function itemsOf({ lead, contact }: SampleLead): readonly Item[] {
  const { organizationId, id, contactId, pipelineId } = lead;

  return [
    ...(lead.tags ?? []).map((tag) => ({
      ...keys.leadTag(organizationId, tag, id),
      id,
      contactId,
    })),
    { ...keys.lead(organizationId, id), ...asRanked(lead) },
    { ...keys.leadClaim(organizationId, contactId, pipelineId), leadId: id },
    { ...keys.contact(organizationId, contactId), ...contact },
    { ...keys.contactEmail(organizationId, contact.email), contactId },
  ];
}

function linkedItems(tenant: SampleTenant): readonly Item[] {
  const { organizationId, socialAccountId, contentPostId } = tenant;

  return [
    {
      ...keys.socialAccount(organizationId, socialAccountId),
      id: socialAccountId,
      platform: 'FACEBOOK',
      platformUserId: '1789',
      platformUserName: 'Engines on Facebook',
    },
    {
      ...keys.contentPost(organizationId, contentPostId),
      id: contentPostId,
      content: 'New engines are here',
    },
    ...utmCampaigns.map((utmCampaign) => {
      const id = newId();

      return { ...keys.campaign(organizationId, id), id, name: utmCampaign, utmCampaign };
    }),
  ];
}

function createCounters() {
  const { addTo, items } = createSums();

  function add({ lead, contact }: SampleLead): void {
    const { organizationId, pipelineId, id } = lead;
    const shard = shardOf(id, counterShards);
    addTo(keys.contactCounter(organizationId, shardOf(contact.id, counterShards)), { total: 1 });
    addTo(keys.pipelineCounter(organizationId, pipelineId, shard), pipelineAmounts(lead));
    for (const tag of lead.tags ?? []) {
      addTo(keys.leadTagCounter(organizationId, tag, shard), { total: 1 });
    }
    for (const facet of leadFacets) {
      const value = facetValue(lead, facet);
      if (value !== undefined) {
        addTo(keys.facetCounter(organizationId, facet, value, shard), facetAmounts(lead));
      }
    }
  }

  return { add, items };
}
