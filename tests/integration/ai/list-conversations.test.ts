import * as fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { newId } from '#lib/platform/ids.ts';
import { createContentPost } from '#schemas/content.ts';
import { listConversations, pauseConversation } from '#schemas/conversations.ts';
import { channels } from '#schemas/platforms.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { storeConversation } from '#tests/support/conversations.ts';
import { depth } from '#tests/support/depth.ts';
import { storeSocialAccount } from '#tests/support/social-accounts.ts';
import { type ConversationWorld, conversationWorld } from './conversation-world.ts';

let world: ConversationWorld;

beforeAll(async () => {
  world = await conversationWorld();
});

describe('listing conversations', () => {
  const accounts = [newId(), newId()];
  const campaigns = [newId(), newId()];
  let rows: ReadonlyArray<Record<string, string>>;

  beforeAll(async () => {
    const made: Array<Record<string, string>> = [];
    for (let index = 0; index < 13; index += 1) {
      const conversation = await storeConversation(world.owner.organizationId, {
        accountId: accounts[index % 2] ?? '',
        channel: channels[index % 3] ?? 'COMMENT',
        ...(index % 4 === 0 ? { matchedCampaignId: campaigns[index % 8 === 0 ? 0 : 1] ?? '' } : {}),
      });
      const { status } =
        index % 5 === 0 ? await world.outcomeOf(pauseConversation, conversation) : conversation;
      made.unshift({
        id: conversation.id,
        status,
        channel: conversation.channel,
        socialAccountId: conversation.accountId,
        ...(conversation.matchedCampaignId ? { campaignId: conversation.matchedCampaignId } : {}),
      });
    }
    rows = made;
  }, 60_000);

  it("excludes post conversations from the account's pages", async () => {
    const { organizationId, token } = await newAccount();
    const params = { organization_id: organizationId };
    const { id: accountId, platform } = await storeSocialAccount(organizationId);
    const { id } = await storeConversation(organizationId, { accountId });
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
  }, 60_000);

  it('continues by cursor after the previous page', async () => {
    const first = (await world.ask(listConversations, { query: { limit: '7' } })).body;
    const cursor = first.pagination.nextCursor;
    const second = (await world.ask(listConversations, { query: { limit: '7', cursor } })).body;

    const ids = [...first.conversations, ...second.conversations].map(({ id }) => id);
    expect(ids).toEqual(rows.map(({ id }) => id));
    expect(second.pagination).toMatchObject({ hasMore: false, nextCursor: null });
  });

  it('rejects an invalid filter', async () => {
    for (const query of [{ status: 'GONE' }, { channel: 'PIGEON' }, { socialAccountId: 'x' }]) {
      expect((await world.ask(listConversations, { query })).status).toBe(400);
    }
  });
});
