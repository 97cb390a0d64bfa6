import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, ScanCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Lead } from '#lib/features/leads/lead.ts';
import {
  counterShards,
  facetAmounts,
  facetValue,
  pipelineAmounts,
} from '#lib/features/leads/lead-counters.ts';
import type { Conversation } from '#lib/features/social/conversations/conversation.ts';
import {
  conversationAmounts,
  conversationCounterShards,
} from '#lib/features/social/conversations/conversation-counters.ts';
import type { Key } from '#lib/platform/db/keys/key.ts';
import { leadFacets } from '#lib/platform/db/keys/leads.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { shardOf } from '#lib/platform/db/sharded-list.ts';

type Item = Key & Record<string, unknown>;

/** One figure of one counter that is not what the records add up to. */
export type Difference = {
  readonly key: Key;
  readonly attribute: string;
  readonly stored: number;
  readonly counted: number;
};

export type RecountTarget = { readonly tableName: string; readonly endpoint?: string | undefined };

const counterPartition =
  /^ORG#[^#]+#(?:LEAD_COUNTS|LEAD_FACET#.+|CONTACT_COUNTS|CONVERSATION_COUNTS)$/;

function connect({ endpoint }: RecountTarget): DynamoDBDocumentClient {
  return DynamoDBDocumentClient.from(new DynamoDBClient(endpoint ? atEndpoint(endpoint) : {}));
}

/** DynamoDB Local takes any credentials, but wants some. */
function atEndpoint(endpoint: string): DynamoDBClientConfig {
  const hasOwn = Boolean(process.env.AWS_ACCESS_KEY_ID ?? process.env.AWS_PROFILE);
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };

  return {
    endpoint,
    region: process.env.AWS_REGION ?? 'us-east-1',
    ...(hasOwn ? {} : { credentials }),
  };
}

/** Every item of the table, page by page. */
async function* scan(
  client: DynamoDBDocumentClient,
  tableName: string,
): AsyncGenerator<Item, void, undefined> {
  let startKey: Record<string, unknown> | undefined;
  do {
    const { Items = [], LastEvaluatedKey } = await client.send(
      new ScanCommand({
        TableName: tableName,
        ConsistentRead: true,
        ...(startKey ? { ExclusiveStartKey: startKey } : {}),
      }),
    );
    yield* Items as Item[];
    startKey = LastEvaluatedKey;
  } while (startKey);
}

type Figures = Map<string, { readonly key: Key; readonly amounts: Map<string, number> }>;

function add(figures: Figures, key: Key, amounts: Readonly<Record<string, number>>): void {
  const name = `${key.pk}/${key.sk}`;
  const entry = figures.get(name) ?? { key, amounts: new Map() };
  for (const [attribute, amount] of Object.entries(amounts)) {
    entry.amounts.set(attribute, (entry.amounts.get(attribute) ?? 0) + amount);
  }
  figures.set(name, entry);
}

function addLead(figures: Figures, lead: Lead): void {
  const { organizationId, id, pipelineId } = lead;
  const shard = shardOf(id, counterShards);
  add(figures, keys.pipelineCounter(organizationId, pipelineId, shard), pipelineAmounts(lead));
  for (const facet of leadFacets) {
    const value = facetValue(lead, facet);
    if (value !== undefined) {
      add(figures, keys.facetCounter(organizationId, facet, value, shard), facetAmounts(lead));
    }
  }
}

function addConversation(figures: Figures, conversation: Conversation): void {
  const { organizationId, id } = conversation;
  const shard = shardOf(id, conversationCounterShards);
  for (const [name, amounts] of conversationAmounts(conversation)) {
    add(figures, keys.conversationCounter(organizationId, name, shard), amounts);
  }
}

function numbersOf(item: Item): Readonly<Record<string, number>> {
  return Object.fromEntries(
    Object.entries(item).filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
  );
}

/**
 * Counts all leads, contacts and conversations of a table anew and compares it with the counters that are kept
 * with them. What is written meanwhile shows as a difference: run it when nobody writes.
 */
export async function recount(target: RecountTarget): Promise<readonly Difference[]> {
  const stored: Figures = new Map();
  const counted: Figures = new Map();
  for await (const item of scan(connect(target), target.tableName)) {
    if (counterPartition.test(item.pk)) {
      add(stored, item, numbersOf(item));
    } else if (item.list === 'lead') {
      addLead(counted, item as unknown as Lead);
    } else if (item.list === 'conversation') {
      addConversation(counted, item as unknown as Conversation);
    } else if (item.list === 'contact') {
      const shard = shardOf(String(item.id), counterShards);
      add(counted, keys.contactCounter(String(item.organizationId), shard), { total: 1 });
    }
  }

  return compare(stored, counted);
}

function compare(stored: Figures, counted: Figures): readonly Difference[] {
  const names = new Set([...stored.keys(), ...counted.keys()]);

  return [...names].flatMap((name) => {
    const [is, ought] = [stored.get(name), counted.get(name)];
    const key = is?.key ?? ought?.key;
    const attributes = new Set([...(is?.amounts.keys() ?? []), ...(ought?.amounts.keys() ?? [])]);

    return key
      ? [...attributes]
          .map((attribute) => ({
            key: { pk: key.pk, sk: key.sk },
            attribute,
            stored: is?.amounts.get(attribute) ?? 0,
            counted: ought?.amounts.get(attribute) ?? 0,
          }))
          .filter((difference) => difference.stored !== difference.counted)
      : [];
  });
}

/** Adds what is missing to each counter, and takes off what is too much. */
export async function repair(
  target: RecountTarget,
  differences: readonly Difference[],
): Promise<void> {
  const client = connect(target);
  for (const { key, attribute, stored, counted } of differences) {
    await client.send(
      new UpdateCommand({
        TableName: target.tableName,
        Key: { pk: key.pk, sk: key.sk },
        UpdateExpression: 'ADD #attribute :amount',
        ExpressionAttributeNames: { '#attribute': attribute },
        ExpressionAttributeValues: { ':amount': counted - stored },
      }),
    );
  }
}
