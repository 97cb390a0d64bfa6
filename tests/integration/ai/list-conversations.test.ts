import * as fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Conversation } from '#lib/features/conversations/conversation.ts';
import { planConversationChange } from '#lib/features/conversations/conversations.ts';
import { write } from '#lib/platform/db/write.ts';
import { newId } from '#lib/platform/ids.ts';
import { createContentPost } from '#schemas/content.ts';
import {
  assignConversation,
  listConversations,
  pauseConversation,
} from '#schemas/conversations.ts';
import { channels } from '#schemas/platforms.ts';
import { storeConversation } from '#scripts/fixtures/conversations.ts';
import { storeSocialAccount } from '#scripts/fixtures/social-accounts.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { type Answer, call } from '#tests/support/api.ts';
import { depth } from '#tests/support/depth.ts';
import { type ConversationSetup, conversationSetup } from './setup.ts';

const world = await conversationSetup();

describe('listing conversations', () => {
  const accounts = [newId(), newId()];
  const campaigns = [newId(), newId()];
  let rows: ReadonlyArray<Record<string, string>>;

  beforeAll(async () => {
    const made: Array<Record<string, string>> = [];
    for (let index = 0; index < 13; index += 1) {
      const conversation = await storeConversation(world.owner.organizationId, {
        socialAccountId: accounts[index % 2] ?? '',
        channel: channels[index % 3] ?? 'COMMENT',
        ...(index % 4 === 0 ? { campaignId: campaigns[index % 8 === 0 ? 0 : 1] ?? '' } : {}),
      });
      const { status } =
        index % 5 === 0 ? await world.outcomeOf(pauseConversation, conversation) : conversation;
      made.unshift({
        id: conversation.id,
        status,
        channel: conversation.channel,
        socialAccountId: conversation.socialAccountId,
        ...(conversation.campaignId ? { campaignId: conversation.campaignId } : {}),
      });
    }
    rows = made;
  });

  it("excludes post conversations from the account's pages", async () => {
    const { organizationId, token } = await newAccount();
    const params = { organization_id: organizationId };
    const { id: accountId, platform } = await storeSocialAccount(organizationId);
    const { id } = await storeConversation(organizationId, { socialAccountId: accountId });
    for (const content of ['Engines', 'More engines']) {
      const body = { socialAccountId: accountId, platform, content, draft: true };
      expect((await call(createContentPost, { params, token, body })).status).toBe(201);
    }

    const query = { socialAccountId: accountId, limit: '1' };
    const { body } = await call(listConversations, { params, token, query });
    expect(body.conversations).toMatchObject([{ id }]);
    expect(body.pagination).toMatchObject({ total: 1, nextCursor: null });
  });

  it('returns conversations that match every filter, newest first, with the exact total', async () => {
    const filters = fc.record(
      {
        status: fc.constantFrom('OPEN', 'PAUSED', 'CLOSED'),
        channel: fc.constantFrom(...channels),
        socialAccountId: fc.constantFrom(...accounts, newId()),
        campaignId: fc.constantFrom(...campaigns, newId()),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(filters, fc.integer({ min: 1, max: 3 }), async (wanted, page) => {
        const expected = rows.filter((row) =>
          Object.entries(wanted).every(([field, value]) => row[field] === value),
        );
        const query = { ...wanted, limit: '5', page: String(page) };
        const { conversations, pagination } = (await world.ask(listConversations, { query })).body;
        expect(conversations).toMatchObject(expected.slice((page - 1) * 5, page * 5));
        expect(conversations).toHaveLength(expected.slice((page - 1) * 5, page * 5).length);
        expect(pagination.total).toBe(expected.length);
      }),
      { numRuns: depth(25) },
    );
  });

  it('continues by cursor after the previous page', async () => {
    const first = (await world.ask(listConversations, { query: { limit: '7' } })).body;
    const cursor = first.pagination.nextCursor;
    const second = (await world.ask(listConversations, { query: { limit: '7', cursor } })).body;

    const ids = [...first.conversations, ...second.conversations].map(({ id }) => id);
    expect(ids).toEqual(rows.map(({ id }) => id));
    expect(second.pagination).toMatchObject({ hasMore: false, nextCursor: null });
  });
});

describe('the order and the filters of the inbox', () => {
  const sorts = ['created', 'lastMessage', 'waiting'] as const;
  const [contactId, leadId] = [newId(), newId()];
  const customers = [
    { id: '1', name: 'Charles Babbage', username: 'cb.engines' },
    { id: '2', name: 'José Müller-Lüdenscheidt' },
    { id: '3', name: 'Ada King' },
  ];
  let inbox: ConversationSetup;
  let rows: ReadonlyArray<Answer['body']>;

  /** Some times are equal, so that the order of equal ones matters. */
  beforeAll(async () => {
    inbox = await conversationSetup();
    const { organizationId, userId } = inbox.owner;
    const made: Array<Answer['body']> = [];
    for (let index = 0; index < 24; index += 1) {
      const lastMessageAt = `2026-01-0${1 + ((index * 7) % 5)}T00:00:00.000Z`;
      const stored = await storeConversation(organizationId, {
        customer: { ...customers[index % 3], id: String(index) } as Conversation['customer'],
        channel: channels[index % 2] ?? 'COMMENT',
        rank: Date.parse(lastMessageAt),
        lastMessage: { direction: 'IN', author: 'CUSTOMER', text: 'Hi', createdAt: lastMessageAt },
        unreadCount: index % 4 === 0 ? 0 : 2,
        ...(index % 3 === 0 ? { controller: 'HUMAN', status: 'PAUSED' } : {}),
        ...(index % 3 === 1 ? { isClosed: true, status: 'CLOSED' } : {}),
        ...(index % 2 === 0 ? { unansweredSince: `2026-01-01T0${index % 6}:00:00.000Z` } : {}),
        ...(index % 5 === 0 ? { leadContactId: contactId, leadId } : {}),
      });
      const body = { userId: index % 4 === 1 ? userId : null };
      made.push(await inbox.outcomeOf(assignConversation, stored, { body }));
    }
    rows = made;
  });

  const isMatch: Readonly<Record<string, (row: Answer['body'], value: string) => boolean>> = {
    status: (row, value) => row.status === value,
    channel: (row, value) => row.channel === value,
    controller: (row, value) => row.controller === value,
    assignedToId: (row, value) => (row.assignedToId ?? 'none') === value,
    unread: (row) => row.unreadCount > 0,
    waiting: (row) => row.waitingSince !== null,
    leadId: (row, value) => row.leadId === value,
    contactId: (row, value) => row.contactId === value,
    search: ({ customer }, value) =>
      searches[value]?.some((name) => customer.name.startsWith(name)) ?? false,
  };

  /** For each search, the beginning of the names that it finds. */
  const searches: Readonly<Record<string, readonly string[]>> = {
    bab: ['Charles'],
    'BABB ch': ['Charles'],
    'cb.eng': ['Charles'],
    jose: ['José'],
    'LUDEN muller': ['José'],
    k: ['Ada'],
    abbage: [],
    '!': [],
  };

  const sortKeys: Readonly<Record<string, (row: Answer['body']) => string>> = {
    created: () => '',
    lastMessage: ({ lastMessageAt }) => lastMessageAt,
    waiting: ({ waitingSince }) => waitingSince ?? '',
  };

  function compare(sort: string, one: Answer['body'], other: Answer['body']): number {
    const [first, second] = [sortKeys[sort]?.(one) ?? '', sortKeys[sort]?.(other) ?? ''];
    if (sort === 'waiting' && first && second) {
      return `${first}${one.id}` < `${second}${other.id}` ? -1 : 1;
    }
    if (sort === 'waiting' && !first && !second) {
      return compare('lastMessage', one, other);
    }

    return `${first}${one.id}` > `${second}${other.id}` ? -1 : 1;
  }

  /** Compares all pages by cursor, and the second page by number, with the expected rows. */
  async function expectPages(wanted: Readonly<Record<string, string>>, sort: string) {
    const expected = rows
      .filter((row) =>
        Object.entries(wanted).every(([field, value]) => isMatch[field]?.(row, value)),
      )
      .toSorted((one, other) => compare(sort, one, other));
    const found: string[] = [];
    let cursor: string | undefined;
    do {
      const query = { ...wanted, sort, limit: '7', ...(cursor ? { cursor } : {}) };
      const { status, body } = await inbox.ask(listConversations, { query });
      expect(status).toBe(200);
      expect(body.pagination.total).toBe(expected.length);
      found.push(...idsOf(body.conversations));
      cursor = body.pagination.nextCursor;
    } while (cursor);
    expect(found).toEqual(idsOf(expected as ReadonlyArray<{ readonly id: string }>));

    const query = { ...wanted, sort, limit: '7', page: '2' };
    const second = (await inbox.ask(listConversations, { query })).body;
    expect(idsOf(second.conversations)).toEqual(
      idsOf(expected.slice(7, 14) as ReadonlyArray<{ readonly id: string }>),
    );
  }

  it.each(sorts)(
    'returns all conversations, and the matching ones for each filter, by %s',
    async (sort) => {
      const { userId } = inbox.owner;
      await expectPages({}, sort);
      await expectPages({ controller: 'HUMAN' }, sort);
      await expectPages({ assignedToId: 'none' }, sort);
      await expectPages({ assignedToId: userId }, sort);
      await expectPages({ unread: 'true' }, sort);
      await expectPages({ waiting: 'true' }, sort);
      await expectPages({ leadId }, sort);
      await expectPages({ contactId }, sort);
      for (const search of Object.keys(searches)) {
        await expectPages({ search }, sort);
      }
    },
  );

  it('returns conversations that match every filter, in every order, by cursor', async () => {
    const { userId } = inbox.owner;
    const filters = fc.record(
      {
        status: fc.constantFrom('OPEN', 'PAUSED'),
        channel: fc.constantFrom(...channels),
        controller: fc.constantFrom('BOT', 'HUMAN'),
        assignedToId: fc.constantFrom('none', userId, newId()),
        unread: fc.constant('true'),
        waiting: fc.constant('true'),
        leadId: fc.constantFrom(leadId, newId()),
        contactId: fc.constantFrom(contactId, newId()),
        search: fc.constantFrom(...Object.keys(searches)),
      },
      { requiredKeys: [] },
    );
    const some = fc.tuple(filters, filters).map(([one, other]) => {
      const shared = Object.entries(one).filter(([field]) => field in other);

      return Object.fromEntries(shared);
    });
    await fc.assert(fc.asyncProperty(some, fc.constantFrom(...sorts), expectPages), {
      numRuns: depth(40),
    });
  });

  it('returns the exact total of a small organization, and repeats it on later pages', async () => {
    const query = { sort: 'waiting', unread: 'true', limit: '4' };
    const { pagination } = (await inbox.ask(listConversations, { query })).body;
    const next = { ...query, cursor: pagination.nextCursor };
    const second = (await inbox.ask(listConversations, { query: next })).body;

    expect(pagination.total).toBe(rows.filter(({ unreadCount }) => unreadCount > 0).length);
    expect(second.pagination).toMatchObject({ total: pagination.total, page: 2 });
  });

  it('rejects the cursor of another sort order', async () => {
    const { pagination } = (
      await inbox.ask(listConversations, { query: { sort: 'lastMessage', limit: '1' } })
    ).body;
    for (const sort of ['waiting', 'created']) {
      const query = { sort, cursor: pagination.nextCursor };
      expect((await inbox.ask(listConversations, { query })).status).toBe(400);
    }
  });

  it('finds a customer by a new name, and no longer by the former name', async () => {
    const { organizationId } = inbox.owner;
    const before = await storeConversation(organizationId, {
      customer: { id: 'x', name: 'Grace Hopper' },
    });
    const after = { ...before, customer: { id: 'x', name: 'Grace Murray' } };
    await write(...planConversationChange(before, after));

    const found = async (search: string) =>
      idsOf((await inbox.ask(listConversations, { query: { search } })).body.conversations);
    expect(await found('murray')).toEqual([before.id]);
    expect(await found('hopper')).toEqual([]);
    expect(await found('grace')).toEqual([before.id]);
  });
});

function idsOf(items: ReadonlyArray<{ readonly id: string }>): readonly string[] {
  return items.map(({ id }) => id);
}
