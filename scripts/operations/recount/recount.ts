import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, ScanCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { AttributedCount } from '#lib/features/attribution/attribution-counters.ts';
import type { Conversation } from '#lib/features/conversations/conversation.ts';
import {
  attributedConversation,
  conversationAmounts,
  conversationCounterShards,
} from '#lib/features/conversations/conversation-counters.ts';
import type { Lead } from '#lib/features/leads/lead.ts';
import {
  attributedLead,
  counterShards,
  facetAmounts,
  facetValue,
  pipelineAmounts,
} from '#lib/features/leads/lead-counters.ts';
import type { Amounts } from '#lib/platform/db/amounts.ts';
import { leadFacets } from '#lib/platform/db/keys/leads.ts';
import { type Key, keys } from '#lib/platform/db/keys.ts';
import { isInList, shardOf } from '#lib/platform/db/lists/shards.ts';

type Item = Key & Record<string, unknown>;

/** One attribute of a counter that does not match the records. */
export type Difference = {
  readonly key: Key;
  readonly attribute: string;
  readonly stored: number;
  readonly counted: number;
};

export type RecountTarget = { readonly tableName: string; readonly endpoint?: string | undefined };

const counterPartition =
  /^ORG#[^#]+#(?:LEAD_COUNTS|LEAD_FACET#.+|LEAD_TAG_COUNTS|ATTRIBUTION#LEADS|ATTRIBUTION#CONVERSATIONS|CONTACT_COUNTS|CONVERSATION_COUNTS)$/;

function connect({ endpoint }: RecountTarget): DynamoDBDocumentClient {
  return DynamoDBDocumentClient.from(new DynamoDBClient(endpoint ? atEndpoint(endpoint) : {}));
}

/** The development table accepts any credentials, but the client requires some. */
function atEndpoint(endpoint: string): DynamoDBClientConfig {
  const hasOwn = Boolean(process.env.AWS_ACCESS_KEY_ID ?? process.env.AWS_PROFILE);
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };

  return {
    endpoint,
    region: process.env.AWS_REGION ?? 'us-east-1',
    ...(hasOwn ? {} : { credentials }),
  };
}

/** Reads every item of the table, page by page. */
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

type Counters = Map<string, { readonly key: Key; readonly amounts: Map<string, number> }>;

function add(counters: Counters, key: Key, amounts: Amounts): void {
  const name = `${key.pk}/${key.sk}`;
  const entry = counters.get(name) ?? { key, amounts: new Map() };
  for (const [attribute, amount] of Object.entries(amounts)) {
    entry.amounts.set(attribute, (entry.amounts.get(attribute) ?? 0) + amount);
  }
  counters.set(name, entry);
}

function addAttributed(counters: Counters, counted: AttributedCount | undefined): void {
  if (counted) {
    add(counters, counted.key, counted.amounts);
  }
}

function addLead(counters: Counters, lead: Lead): void {
  const { organizationId, id, pipelineId } = lead;
  const shard = shardOf(id, counterShards);
  add(counters, keys.pipelineCounter(organizationId, pipelineId, shard), pipelineAmounts(lead));
  for (const facet of leadFacets) {
    const value = facetValue(lead, facet);
    if (value !== undefined) {
      add(counters, keys.facetCounter(organizationId, facet, value, shard), facetAmounts(lead));
    }
  }
  for (const tag of lead.tags ?? []) {
    add(counters, keys.leadTagCounter(organizationId, tag, shard), { total: 1 });
  }
  addAttributed(counters, attributedLead(lead));
}

function addConversation(counters: Counters, conversation: Conversation): void {
  const { organizationId, id } = conversation;
  const shard = shardOf(id, conversationCounterShards);
  for (const [name, amounts] of conversationAmounts(conversation)) {
    add(counters, keys.conversationCounter(organizationId, name, shard), amounts);
  }
  addAttributed(counters, attributedConversation(conversation));
}

const ledgerPartition = /^(ORG#[^#]+)#LEDGER$/;
const organizationPartition = /^ORG#[^#]+$/;

/** Returns the amounts that an item adds to the balance of its organization, if any. */
function balanceAmounts({ pk, sk, ...item }: Item): readonly [Key, Amounts] | undefined {
  const [, organization = pk] = ledgerPartition.exec(pk) ?? [];
  const balance = { pk: organization, sk: keys.balance('').sk };
  if (organization !== pk) {
    const credits = Number(item.credits);

    return [
      balance,
      item.isReversal ? { credits, debt: credits } : { credits, available: credits },
    ];
  }
  if (!organizationPartition.test(pk)) {
    return undefined;
  }
  if (sk.startsWith('RESERVATION#')) {
    return [balance, { available: -1 }];
  }
  if (sk.startsWith('REVERSAL#')) {
    const reversed = Number(item.reversedCredits);

    return [
      balance,
      { debt: reversed, available: -reversed, openDisputes: item.isDisputed ? 1 : 0 },
    ];
  }

  return undefined;
}

function isBalance({ pk, sk }: Item): boolean {
  return sk === keys.balance('').sk && organizationPartition.test(pk);
}

/** The attributes of a balance that are sums of the ledger, reservations and reversals. */
function storedBalance({ credits, available, debt = 0, openDisputes = 0 }: Item): Amounts {
  return {
    credits: Number(credits),
    available: Number(available),
    debt: Number(debt),
    openDisputes: Number(openDisputes),
  };
}

function numbersOf(item: Item): Readonly<Record<string, number>> {
  return Object.fromEntries(
    Object.entries(item).filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
  );
}

/**
 * Recounts all leads, contacts, conversations and credits of a table and compares the result with
 * the stored counters and balances. Concurrent writes appear as differences, so run it while nobody
 * writes.
 */
export async function recount(target: RecountTarget): Promise<readonly Difference[]> {
  const stored: Counters = new Map();
  const counted: Counters = new Map();
  const money: Counters = new Map();
  for await (const item of scan(connect(target), target.tableName)) {
    const [balance, amounts] = balanceAmounts(item) ?? [];
    if (balance && amounts) {
      add(money, balance, amounts);
    }
    const list = String(item.list);
    if (isBalance(item)) {
      add(stored, item, storedBalance(item));
      // The ledger of a deleted organization has no balance to compare with.
      add(counted, item, {});
    } else if (counterPartition.test(item.pk)) {
      add(stored, item, numbersOf(item));
    } else if (isInList(list, 'lead')) {
      addLead(counted, item as unknown as Lead);
    } else if (isInList(list, 'conversation')) {
      addConversation(counted, item as unknown as Conversation);
    } else if (isInList(list, 'contact')) {
      const shard = shardOf(String(item.id), counterShards);
      add(counted, keys.contactCounter(String(item.organizationId), shard), { total: 1 });
    }
  }
  for (const [name, { key, amounts }] of money) {
    if (counted.has(name)) {
      add(counted, key, Object.fromEntries(amounts));
    }
  }

  return compare(stored, counted);
}

function compare(stored: Counters, counted: Counters): readonly Difference[] {
  const names = new Set([...stored.keys(), ...counted.keys()]);

  return [...names].flatMap((name) => {
    const [actual, expected] = [stored.get(name), counted.get(name)];
    const key = actual?.key ?? expected?.key;
    const attributes = new Set([
      ...(actual?.amounts.keys() ?? []),
      ...(expected?.amounts.keys() ?? []),
    ]);

    return key
      ? [...attributes]
          .map((attribute) => ({
            key: { pk: key.pk, sk: key.sk },
            attribute,
            stored: actual?.amounts.get(attribute) ?? 0,
            counted: expected?.amounts.get(attribute) ?? 0,
          }))
          .filter((difference) => difference.stored !== difference.counted)
      : [];
  });
}

/** Adds each difference to its counter. */
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
