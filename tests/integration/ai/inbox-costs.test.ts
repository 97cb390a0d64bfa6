import { beforeAll, describe, expect, it } from 'vitest';
import type { Conversation, Message } from '#lib/features/conversations/conversation.ts';
import { planConversationChange } from '#lib/features/conversations/conversations.ts';
import { listConversations } from '#lib/features/conversations/inbox/list-conversations.ts';
import { withUnanswered } from '#lib/features/conversations/waiting.ts';
import { documentClient } from '#lib/platform/db/client.ts';
import { write } from '#lib/platform/db/write.ts';
import { newId } from '#lib/platform/ids.ts';
import { listConversations as contract } from '#schemas/conversations.ts';
import {
  type InboxTenant,
  inboxQueries,
  newInboxTenant,
  seedConversations,
} from '#scripts/bench/data/seed-conversations.ts';
import { metered } from '#tests/support/metered.ts';

const sizes = { small: 100, large: 2_000 };
/**
 * Listing twenty times as many conversations may cost this many more read units, for entries and
 * rows.
 */
const mostMore = 40;
/** 500 records with their index rows, or 2,000 index rows. */
const mostOfPage = 560;
const few = newInboxTenant(newId());
const many = newInboxTenant(newId());

beforeAll(async () => {
  await seedConversations(documentClient, few, sizes.small);
  await seedConversations(documentClient, many, sizes.large);
});

function pageOf(tenant: InboxTenant, query: Readonly<Record<string, string>>) {
  const request = contract.query.parse({ limit: '20', ...query });

  return metered(() => listConversations(tenant.organizationId, request));
}

const names = inboxQueries(few).map(([name], index) => [name, index] as const);

describe('a page of the inbox', () => {
  it.each(names)('costs about the same in a large organization: %s', async (_name, index) => {
    const queries = [few, many].map((tenant) => inboxQueries(tenant)[index]?.[1] ?? {});
    const small = await pageOf(few, queries[0] ?? {});
    const large = await pageOf(many, queries[1] ?? {});
    expect(large.result.items.length).toBeGreaterThanOrEqual(small.result.items.length);
    expect(large.units).toBeLessThanOrEqual(small.units + mostMore);
  });

  it.each(['created', 'lastMessage', 'waiting'])(
    'is short and has a cursor if few conversations match, by %s',
    async (sort) => {
      const rare = { sort, status: 'PAUSED', controller: 'BOT' };
      const first = await pageOf(many, rare);
      expect(first.result).toMatchObject({ items: [], pagination: { total: null } });
      expect(first.units).toBeLessThanOrEqual(mostOfPage);

      let { nextCursor } = first.result.pagination;
      let pages = 1;
      while (nextCursor) {
        const { result } = await pageOf(many, { ...rare, cursor: nextCursor });
        ({ nextCursor } = result.pagination);
        pages += 1;
      }
      expect(pages).toBeGreaterThan(1);
      expect(pages).toBeLessThanOrEqual(sizes.large / 500 + 1);
    },
  );

  it('is rejected by number if it cannot be reached', async () => {
    const query = { controller: 'BOT', waiting: 'true' };

    await expect(pageOf(many, { ...query, page: '2' })).rejects.toThrow('page is too high');
  });
});

describe('a customer who writes 100 messages', () => {
  it('costs the same for each message, and makes no page more expensive', async () => {
    const { organizationId } = few;
    const query = { sort: 'lastMessage' };
    const before = await pageOf(few, query);
    const [first] = before.result.items;
    const costs: number[] = [];
    let conversation = first;
    for (let written = 0; written < 100 && conversation; written += 1) {
      const createdAt = new Date(Date.now() + written).toISOString();
      const message = { id: newId(), direction: 'IN', author: 'CUSTOMER', text: 'Hi', createdAt };
      const next: Conversation = withUnanswered(conversation, message as Message);
      const writes = planConversationChange(conversation, next);
      costs.push((await metered(() => write(...writes))).units);
      conversation = next;
    }
    const after = await pageOf(few, query);

    expect(first?.organizationId).toBe(organizationId);
    expect(costs).toHaveLength(100);
    // The first message also adds the conversation to the index of unanswered ones.
    expect(new Set(costs.slice(1)).size).toBe(1);
    expect(costs.at(-1)).toBeLessThanOrEqual(8);
    expect(after.units).toBe(before.units);
  });
});
