import * as fc from 'fast-check';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { handler as closeAll } from '#functions/jobs/conversation-closing.ts';
import type { Conversation } from '#lib/features/social/conversations/conversation.ts';
import {
  counted,
  readConversationCount,
} from '#lib/features/social/conversations/conversation-counters.ts';
import {
  pauseConversation as pauseByHand,
  planConversationChange,
  rateConversation as rateByHand,
  requireConversation,
} from '#lib/features/social/conversations/conversations.ts';
import { type Inbound, recordInbound } from '#lib/features/social/conversations/record-inbound.ts';
import { dayMs, setClock } from '#lib/platform/clock.ts';
import { nothingElse, write } from '#lib/platform/db/write.ts';
import { newId } from '#lib/platform/ids.ts';
import { createContentPost } from '#schemas/content.ts';
import type { Contract } from '#schemas/contract.ts';
import {
  closeConversation,
  getConversation,
  listConversations,
  pauseConversation,
  rateConversation,
  resumeConversation,
} from '#schemas/conversations.ts';
import { channels } from '#schemas/platforms.ts';
import { recount } from '#scripts/operations/recount/recount.ts';
import { type Account, newAccount } from '#tests/support/accounts.ts';
import { type Answer, type Call, call, lambdaContext } from '#tests/support/api.ts';
import { storeConversation, storeMessage } from '#tests/support/conversations.ts';
import { depth } from '#tests/support/depth.ts';
import { conversationsOf, messageEvent } from '#tests/support/network-events.ts';
import { storeSocialAccount } from '#tests/support/social-accounts.ts';

let owner: Account;

beforeAll(async () => {
  owner = await newAccount();
});

afterEach(() => {
  setClock();
});

function ask(contract: Contract, { params, ...options }: Call = {}): Promise<Answer> {
  return call(contract, {
    token: owner.token,
    params: { organization_id: owner.organizationId, ...params },
    ...options,
  });
}

/** Returns the result of an operation on a conversation. */
async function outcomeOf(
  contract: Contract,
  { id }: Conversation,
  options: Call = {},
): Promise<Answer['body']> {
  const answer = await ask(contract, { params: { conversation_id: id }, ...options });
  expect(answer.status).toBe(200);

  return answer.body.conversation;
}

describe('a conversation of any length', () => {
  it('returns the latest messages that fit into the response', async () => {
    const { organizationId, token } = await newAccount();
    const conversation = await storeConversation(organizationId);
    // In a Lambda response, a quote takes four bytes.
    const texts = Array.from({ length: 80 }, (_, index) => `${'"'.repeat(20_000)}${index}`);
    for (const text of texts) {
      await storeMessage(conversation, { text });
    }

    const params = { organization_id: organizationId, conversation_id: conversation.id };
    const { body } = await call(getConversation, { params, token });

    const shown = body.conversation.messages.map(({ text }: { text: string }) => text);
    expect(shown.length).toBeGreaterThan(60);
    expect(shown.length).toBeLessThan(80);
    expect(shown).toEqual(texts.slice(-shown.length));
  });
});

describe('listing conversations', () => {
  const accounts = [newId(), newId()];
  const campaigns = [newId(), newId()];
  let rows: ReadonlyArray<Record<string, string>>;

  beforeAll(async () => {
    const made: Array<Record<string, string>> = [];
    for (let index = 0; index < 13; index += 1) {
      const conversation = await storeConversation(owner.organizationId, {
        accountId: accounts[index % 2] ?? '',
        channel: channels[index % 3] ?? 'COMMENT',
        ...(index % 4 === 0 ? { matchedCampaignId: campaigns[index % 8 === 0 ? 0 : 1] ?? '' } : {}),
      });
      const { status } =
        index % 5 === 0 ? await outcomeOf(pauseConversation, conversation) : conversation;
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
        const { conversations, pagination } = (await ask(listConversations, { query })).body;
        expect(conversations).toMatchObject(expected.slice((page - 1) * 5, page * 5));
        expect(conversations).toHaveLength(expected.slice((page - 1) * 5, page * 5).length);
        expect(pagination.total).toBe(expected.length);
      }),
      { numRuns: depth(25) },
    );
  }, 60_000);

  it('continues by cursor after the previous page', async () => {
    const first = (await ask(listConversations, { query: { limit: '7' } })).body;
    const cursor = first.pagination.nextCursor;
    const second = (await ask(listConversations, { query: { limit: '7', cursor } })).body;

    const ids = [...first.conversations, ...second.conversations].map(({ id }) => id);
    expect(ids).toEqual(rows.map(({ id }) => id));
    expect(second.pagination).toMatchObject({ hasMore: false, nextCursor: null });
  });

  it('rejects an invalid filter', async () => {
    for (const query of [{ status: 'GONE' }, { channel: 'PIGEON' }, { socialAccountId: 'x' }]) {
      expect((await ask(listConversations, { query })).status).toBe(400);
    }
  });
});

describe('a conversation', () => {
  it('returns its latest hundred messages in the order they were written', async () => {
    const conversation = await storeConversation(owner.organizationId);
    for (let number = 0; number < 103; number += 1) {
      await storeMessage(conversation, { text: String(number) });
    }

    const { messages, ...shown } = await outcomeOf(getConversation, conversation);

    expect(messages.map(({ text }: { text: string }) => Number(text))).toEqual(
      Array.from({ length: 100 }, (_, index) => index + 3),
    );
    expect(shown).toMatchObject({
      id: conversation.id,
      socialAccountId: conversation.accountId,
      customer: conversation.customer,
      controller: 'BOT',
      status: 'OPEN',
      stopReason: null,
      responseCount: 0,
    });
  });

  it('is not answered by the agent while a person has paused it', async () => {
    const conversation = await storeConversation(owner.organizationId);

    expect(await outcomeOf(pauseConversation, conversation)).toMatchObject({
      controller: 'HUMAN',
      status: 'PAUSED',
      stopReason: 'HUMAN_TAKEOVER',
    });
    const paused = await outcomeOf(pauseConversation, conversation);
    expect(paused.status).toBe('PAUSED');
    expect(await outcomeOf(resumeConversation, conversation)).toMatchObject({
      controller: 'BOT',
      status: 'OPEN',
      stopReason: null,
    });
  });

  it("is reopened by the customer's next message after a person closed it", async () => {
    const account = await storeSocialAccount(owner.organizationId);
    const customer = `customer-${newId()}`;
    const says = (text: string) => {
      const event = messageEvent(account, customer, { text }) as Inbound;

      return recordInbound(account, event, newId());
    };
    const read = async () => (await conversationsOf(owner, account))[0] as Conversation;
    await says('What does an engine cost?');
    const before = await requireConversation(owner.organizationId, (await read()).id);
    await write(
      ...planConversationChange(before, { ...before, stopReason: 'NO_CREDITS', replyToken: 'x' }),
    );

    const over = { controller: 'BOT', status: 'CLOSED', stopReason: null };
    expect(await outcomeOf(closeConversation, before)).toMatchObject(over);
    expect(await outcomeOf(closeConversation, before)).toMatchObject(over);
    const stored = await requireConversation(owner.organizationId, before.id);
    expect(stored).not.toHaveProperty('replyToken');
    expect(stored.controlVersion).toBe(before.controlVersion + 1);
    await says('And two?');
    expect(await read()).toMatchObject({ id: before.id, controller: 'BOT', status: 'OPEN' });
    await outcomeOf(closeConversation, before);
    expect((await outcomeOf(pauseConversation, before)).status).toBe('PAUSED');
    await outcomeOf(closeConversation, before);
    expect((await outcomeOf(resumeConversation, before)).status).toBe('OPEN');
  });

  it('is closed after thirty days without messages, unless people have it', async () => {
    const { organizationId } = await newAccount();
    const [silent, lively, taken] = await Promise.all(
      Array.from({ length: 3 }, () => storeConversation(organizationId)),
    );
    const ids = [silent, lively, taken].map((one) => one?.id ?? '');
    const statuses = async () => {
      const shown = ids.map((id) => requireConversation(organizationId, id));

      return (await Promise.all(shown)).map(({ status }) => status);
    };
    const runAfter = async (days: number) => {
      setClock(() => Date.now() + days * dayMs);
      await closeAll(undefined, lambdaContext(240_000));
    };
    await pauseByHand(organizationId, ids[2] ?? '', nothingElse);

    await runAfter(20);
    setClock(() => Date.now() + 20 * dayMs);
    await rateByHand(organizationId, ids[1] ?? '', 5, nothingElse);
    await runAfter(29);
    expect(await statuses()).toEqual(['OPEN', 'OPEN', 'PAUSED']);
    await runAfter(31);
    expect(await statuses()).toEqual(['CLOSED', 'OPEN', 'PAUSED']);
    await runAfter(51);
    await runAfter(100);
    expect(await statuses()).toEqual(['CLOSED', 'CLOSED', 'PAUSED']);
    const figure = (name: string) => readConversationCount(organizationId, counted.all, name);
    expect(await Promise.all(['status_OPEN', 'status_CLOSED'].map(figure))).toEqual([0, 2]);
  });

  it('is counted once in its final state after concurrent pauses and resumes', async () => {
    const { organizationId } = await newAccount();
    const conversation = await storeConversation(organizationId);
    const { pauseConversation: pause, resumeConversation: resume } = await import(
      '#lib/features/social/conversations/conversations.ts'
    );
    const outcomes = await Promise.allSettled(
      Array.from({ length: 6 }, (_, index) =>
        (index % 2 === 0 ? pause : resume)(organizationId, conversation.id, nothingElse),
      ),
    );
    expect(outcomes.some(({ status }) => status === 'fulfilled')).toBe(true);

    const { status } = await pause(organizationId, conversation.id, nothingElse);

    const figure = (name: string) => readConversationCount(organizationId, counted.all, name);
    expect(status).toBe('PAUSED');
    expect([await figure('status_PAUSED'), await figure('status_OPEN')]).toEqual([1, 0]);
    expect(await figure('total')).toBe(1);
    const { TABLE_NAME: tableName = '', DYNAMODB_ENDPOINT: endpoint } = process.env;
    const differences = await recount({ tableName, endpoint });
    expect(differences.filter(({ key }) => key.pk.includes('CONVERSATION'))).toEqual([]);
  });

  it('accepts ratings from 1 to 5, of which the latest counts for its campaign', async () => {
    const campaignId = newId();
    const conversation = await storeConversation(owner.organizationId, {
      matchedCampaignId: campaignId,
    });
    const params = { conversation_id: conversation.id };
    for (const rating of [0, 6, 2.5, '5']) {
      expect((await ask(rateConversation, { params, body: { rating } })).status).toBe(400);
    }

    await outcomeOf(rateConversation, conversation, { params, body: { rating: 2 } });
    const rated = await outcomeOf(rateConversation, conversation, { params, body: { rating: 5 } });

    expect(rated.rating).toBe(5);
    const ofCampaign = (name: string) =>
      readConversationCount(owner.organizationId, counted.campaign(campaignId), name);
    expect([await ofCampaign('ratings'), await ofCampaign('ratingSum')]).toEqual([1, 5]);
  });
});
