import { BatchWriteCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import {
  counterShards,
  facetAmounts,
  facetValue,
  pipelineAmounts,
} from '#lib/features/leads/lead-counters.ts';
import { atMostAtOnce } from '#lib/platform/concurrency.ts';
import { leadFacets } from '#lib/platform/db/keys/leads.ts';
import { type Key, keys } from '#lib/platform/db/keys.ts';
import { shardOf } from '#lib/platform/db/sharded-list.ts';
import { newId } from '#lib/platform/ids.ts';
import { benchSettings } from '../function-environment.ts';
import { type SampleLead, type SampleTenant, sampleLead, utmCampaigns } from './sample-leads.ts';

type Item = Key & Record<string, unknown>;
type Amounts = Readonly<Record<string, number>>;

const leadsAtOnce = 1_000;
const itemsPerBatch = 25;
const batchesAtOnce = 4;

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
    { ...keys.lead(organizationId, id), ...lead },
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
  const items = new Map<string, Record<string, unknown> & Key>();

  function addTo(key: Key, amounts: Amounts): void {
    const item: Item = items.get(`${key.pk}/${key.sk}`) ?? { ...key };
    for (const [name, amount] of Object.entries(amounts)) {
      item[name] = Number(item[name] ?? 0) + amount;
    }
    items.set(`${key.pk}/${key.sk}`, item);
  }

  function add({ lead, contact }: SampleLead): void {
    const { organizationId, pipelineId, id } = lead;
    const shard = shardOf(id, counterShards);
    addTo(keys.contactCounter(organizationId, shardOf(contact.id, counterShards)), { total: 1 });
    addTo(keys.pipelineCounter(organizationId, pipelineId, shard), pipelineAmounts(lead));
    for (const facet of leadFacets) {
      const value = facetValue(lead, facet);
      if (value !== undefined) {
        addTo(keys.facetCounter(organizationId, facet, value, shard), facetAmounts(lead));
      }
    }
  }

  return { add, items: () => [...items.values()] };
}

async function putAll(client: DynamoDBDocumentClient, items: readonly Item[]): Promise<void> {
  const batches = Array.from({ length: Math.ceil(items.length / itemsPerBatch) }, (_, index) =>
    items.slice(index * itemsPerBatch, (index + 1) * itemsPerBatch),
  );
  await atMostAtOnce(batchesAtOnce, batches, async (batch) => {
    const requests = batch.map((Item) => ({ PutRequest: { Item } }));
    const { UnprocessedItems = {} } = await client.send(
      new BatchWriteCommand({ RequestItems: { [benchSettings.TABLE_NAME]: requests } }),
    );
    if (Object.keys(UnprocessedItems).length > 0) {
      throw new Error('DynamoDB Local left items unprocessed');
    }
  });
}
