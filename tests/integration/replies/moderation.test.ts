import { beforeEach, describe, expect, it } from 'vitest';
import { handler as outcomeWorker } from '#functions/workers/message-outcome.ts';
import { handler as planningWorker } from '#functions/workers/reply-planning.ts';
import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { hideComment, pauseConversation, unhideComment } from '#schemas/conversations.ts';
import type { Platform } from '#schemas/platforms.ts';
import { storeWebhook } from '#scripts/fixtures/organization-webhooks.ts';
import { moderationSetup } from '#tests/integration/campaigns/setup.ts';
import { type Account, newAccount } from '#tests/support/accounts.ts';
import { settle } from '#tests/support/aftermath.ts';
import { call } from '#tests/support/api.ts';
import { type Death, deathsOf, untilDeath, waitForNobody } from '#tests/support/deaths.ts';
import { depth } from '#tests/support/depth.ts';
import { sandbox } from '#tests/support/mails.ts';
import { receivedEvents } from '#tests/support/received-events.ts';
import { drainWork } from '#tests/support/work.ts';
import { doWork, newCustomer, type ReplySetup, replySetup, waitingWork } from './setup.ts';

waitForNobody();

let ada: Account;
let world: ReplySetup;
let rules: Awaited<ReturnType<typeof moderationSetup>>;

beforeEach(async () => {
  ada = await newAccount();
  world = replySetup(ada);
  rules = await moderationSetup(ada);
  await world.agent();
});

const spam = 'The price of free followers';

async function spammedAccount(platform: Platform = 'FACEBOOK'): Promise<SocialAccount> {
  const account = await world.account({ platform });
  await sandbox.network(platform).makePost({ userId: account.platformUserId, text: 'New engines' });

  return account;
}

async function newRule(body = {}) {
  return (await rules.create(body)).body.moderationRule;
}

/** A customer comments. Processes the comment up to the plan. */
async function comment(account: SocialAccount, text: string, from = newCustomer(), times = 1) {
  await world.say(account, { text, from }, times);
  await drainWork('inbound-events');
  await drainWork('reply-planning');
}

async function commentsAt({ platform, platformUserId }: SocialAccount) {
  return sandbox.network(platform).comments(platformUserId);
}

async function hiddenCount(): Promise<readonly number[]> {
  const { moderationRules } = await rules.list();

  return moderationRules.map(({ hiddenCount: count }: { hiddenCount: number }) => count);
}

describe('a comment that a moderation rule matches', () => {
  it('gets a lead, is hidden once and is not answered, even if it is delivered again', async () => {
    const account = await spammedAccount();
    await world.campaign(account);
    const rule = await newRule();
    const { receiver } = await storeWebhook(ada.organizationId, { events: ['comment.hidden'] });

    await comment(account, spam, newCustomer(), 2);
    await drainWork();
    await drainWork();

    const [conversation] = await world.conversations(account);
    const [message] = conversation.messages;
    const named = { id: rule.id, name: 'Spam' };
    expect(await world.leads()).toHaveLength(1);
    expect(await world.replies(account)).toEqual([]);
    expect(await commentsAt(account)).toMatchObject([{ isHidden: true }]);
    expect(message).toMatchObject({ isHidden: true, text: spam });
    expect(conversation).toMatchObject({
      stopReason: 'MODERATED',
      controller: 'BOT',
      waitingSince: null,
    });
    expect(await world.trace(conversation.id)).toMatchObject([
      {
        isNewLead: true,
        moderationRule: named,
        moderation: 'HIDDEN',
        reply: {
          outcome: 'STOPPED',
          stopReason: 'MODERATED',
          detail: 'The moderation rule "Spam" matched the comment',
        },
        privateReply: null,
        followUp: null,
      },
    ]);
    expect(await hiddenCount()).toEqual([1]);
    expect(await receivedEvents(receiver)).toMatchObject([
      { data: { messageId: message.id, moderationRule: named, socialAccountId: account.id } },
    ]);
  });

  it('is hidden for a link, and only on the accounts of an active rule', async () => {
    const [account, other] = [await spammedAccount(), await spammedAccount()];
    const rule = await newRule({ words: [], links: true, socialAccountIds: [account.id] });

    await comment(account, 'see bad.example/now');
    await comment(other, 'see bad.example/now');
    await drainWork();
    await rules.update(rule.id, { isActive: false });
    await comment(account, 'see bad.example/later');
    await drainWork();

    const rulesOf = async (of: SocialAccount) =>
      Promise.all(
        (await world.conversations(of)).map(
          async ({ id }) => (await world.trace(id))[0].moderationRule?.id ?? null,
        ),
      );
    expect(await rulesOf(account)).toEqual([null, rule.id]);
    expect(await rulesOf(other)).toEqual([null]);
    expect((await commentsAt(account)).map(({ isHidden = false }) => isHidden)).toEqual([
      true,
      false,
    ]);
  });

  it('does not apply to private messages', async () => {
    const account = await world.account();
    await newRule();
    await world.say(account, { type: 'message', text: spam, from: newCustomer() });
    await world.workOff();

    expect(await world.replies(account)).toHaveLength(1);
  });

  it('is hidden in a conversation that people have taken over, and people keep the conversation', async () => {
    const account = await spammedAccount();
    await newRule();
    const from = newCustomer();
    await comment(account, 'Hello', from);
    await drainWork();
    const [{ id }] = await world.conversations(account);
    const params = { organization_id: ada.organizationId, conversation_id: id };
    await call(pauseConversation, { params, token: ada.token });

    await comment(account, spam, from);
    await drainWork();

    const [conversation] = await world.conversations(account);
    expect(conversation).toMatchObject({ controller: 'HUMAN', stopReason: 'HUMAN_TAKEOVER' });
    // Facebook's times are in seconds, so messages of the same second have no defined order.
    expect(conversation.messages).toContainEqual(
      expect.objectContaining({ text: spam, isHidden: true }),
    );
    expect(await hiddenCount()).toEqual([1]);
  });

  it('does not prevent the answer to an earlier comment', async () => {
    const account = await spammedAccount();
    await newRule();
    const from = newCustomer();
    await comment(account, 'How much is an engine?', from);
    await comment(account, spam, from);
    await drainWork();
    const [conversation] = await world.conversations(account);
    const [first] = conversation.messages;

    expect(await world.replies(account)).toHaveLength(1);
    expect(conversation).toMatchObject({ stopReason: null, responseCount: 1 });
    const trace = await world.trace(conversation.id);
    expect(trace.find(({ messageId }) => messageId === first.id)?.reply.outcome).toBe('SENT');
    expect((await commentsAt(account))[1]).toMatchObject({ text: spam, isHidden: true });
  });

  it('is hidden when the network is available again, and not answered until then', async () => {
    const account = await spammedAccount();
    await newRule();
    await sandbox.addFault({ service: 'facebook', method: 'POST', mode: 'down' });
    await comment(account, spam);
    await drainWork('message-outcome');
    const [before] = await world.conversations(account);
    expect(before.messages[0].isHidden).toBe(false);
    expect((await world.trace(before.id))[0].moderation).toBe('PLANNED');

    await sandbox.clearFaults();
    await settle();

    expect((await commentsAt(account))[0]?.isHidden).toBe(true);
    expect((await world.trace(before.id))[0].moderation).toBe('HIDDEN');
    expect(await hiddenCount()).toEqual([1]);
    expect(await world.replies(account)).toEqual([]);
  });

  it('stays visible if the network never accepts that, and the trace shows it', async () => {
    const account = await world.account({ platform: 'TWITTER' });
    await newRule();
    // A reply in a conversation that somebody else started.
    await world.say(account, { text: spam, from: newCustomer(), postId: '4711' });
    await drainWork();

    const [conversation] = await world.conversations(account);
    expect(conversation.messages[0].isHidden).toBe(false);
    expect((await world.trace(conversation.id))[0]).toMatchObject({
      moderation: 'FAILED',
      reply: { stopReason: 'MODERATED' },
    });
    expect(await hiddenCount()).toEqual([0]);
    expect(await world.replies(account)).toEqual([]);
  });

  it('waits for people on LinkedIn, which cannot hide it', async () => {
    const account = await spammedAccount('LINKEDIN');
    await newRule();
    await comment(account, spam);
    await drainWork();

    const [conversation] = await world.conversations(account);
    expect(conversation).toMatchObject({
      stopReason: 'MODERATED',
      waitingSince: conversation.messages[0].createdAt,
    });
    expect((await world.trace(conversation.id))[0].moderation).toBe('NOT_SUPPORTED');
    expect(await world.replies(account)).toEqual([]);
    expect(await hiddenCount()).toEqual([0]);
  });

  it('is counted once if a person hides it concurrently', async () => {
    const account = await spammedAccount();
    await newRule();
    await comment(account, spam);
    const [conversation] = await world.conversations(account);
    const params = {
      organization_id: ada.organizationId,
      conversation_id: conversation.id,
      message_id: conversation.messages[0].id,
    };
    expect((await call(unhideComment, { params, token: ada.token })).status).toBe(200);
    expect((await call(hideComment, { params, token: ada.token })).status).toBe(200);
    await drainWork();
    expect(await hiddenCount()).toEqual([1]);
    expect((await call(unhideComment, { params, token: ada.token })).status).toBe(200);
    await settle();

    expect((await commentsAt(account))[0]?.isHidden).toBe(false);
    expect(await hiddenCount()).toEqual([1]);
  });

  it('is hidden and counted once wherever a process crashes', async () => {
    const account = await spammedAccount();
    await newRule();
    const { receiver } = await storeWebhook(ada.organizationId, { events: ['comment.hidden'] });
    const known = new Set<string>();
    const crash = async (
      kind: 'replyPlanning' | 'messageOutcome',
      death: Death,
    ): Promise<Awaited<ReturnType<typeof untilDeath>>> => {
      await world.say(account, { text: spam, from: newCustomer() });
      await drainWork('inbound-events');
      if (kind === 'messageOutcome') {
        await drainWork('reply-planning');
      }
      const keys = await waitingWork(kind, ada.organizationId);
      const key = keys.find(({ sk }) => !known.has(sk)) ?? { pk: '', sk: '' };
      known.add(key.sk);
      const worker = kind === 'messageOutcome' ? outcomeWorker : planningWorker;

      return untilDeath(death, () => doWork(worker, key));
    };
    const never = { at: 'a write', nth: Number.POSITIVE_INFINITY, when: 'before' } as const;
    let comments = 0;
    for (const kind of ['replyPlanning', 'messageOutcome'] as const) {
      const { writes, calls } = await crash(kind, never);
      const deaths = [
        ...deathsOf(writes, depth(2, Number.POSITIVE_INFINITY)),
        ...deathsOf(calls, 2, 'a call'),
      ];
      for (const death of deaths) {
        expect((await crash(kind, death)).hasDied).toBe(true);
      }
      comments += deaths.length + 1;
    }
    await settle();

    const told = (await receivedEvents(receiver)).map(({ data }) => data.messageId);
    expect(await hiddenCount()).toEqual([comments]);
    expect([told.length, new Set(told).size]).toEqual([comments, comments]);
    expect((await commentsAt(account)).map(({ isHidden }) => isHidden)).toEqual(
      Array.from({ length: comments }, () => true),
    );
    expect(await world.replies(account)).toEqual([]);
  });
});
