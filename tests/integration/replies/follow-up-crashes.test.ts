import { beforeEach, expect, test } from 'vitest';
import { handler as repliesWorker } from '#functions/workers/replies.ts';
import type { Message } from '#lib/features/conversations/conversation.ts';
import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { minuteMs, setClock } from '#lib/platform/clock.ts';
import { keys, ranges } from '#lib/platform/db/keys.ts';
import { get, query } from '#lib/platform/db/read.ts';
import { pauseConversation } from '#schemas/conversations.ts';
import { type Account, newAccount } from '#tests/support/accounts.ts';
import { settle } from '#tests/support/aftermath.ts';
import { call } from '#tests/support/api.ts';
import { type Death, deathsOf, untilDeath, waitForNobody } from '#tests/support/deaths.ts';
import { depth } from '#tests/support/depth.ts';
import { drainWork } from '#tests/support/work.ts';
import { doWork, newCustomer, type ReplySetup, replySetup, waitingWork } from './setup.ts';

waitForNobody();

const never = { at: 'a write', nth: Number.POSITIVE_INFINITY, when: 'before' } as const;
const text = 'Do you have any questions?';
const known = new Set<string>();

let ada: Account;
let world: ReplySetup;
let account: SocialAccount;

beforeEach(async () => {
  ada = await newAccount();
  world = replySetup(ada);
  account = await world.account();
  const promptTemplateId = await world.template();
  const followUp = { afterMinutes: 60, text, unless: 'REPLIED' };
  await world.campaign(account, {
    agentConfigs: [{ channel: 'DIRECT_MESSAGE', promptTemplateId, followUp }],
  });
});

/** Marks the planned work as known, and returns the work that was not known. */
async function unknownWork() {
  const work = await waitingWork('reply', ada.organizationId);
  const added = work.filter(({ sk }) => !known.has(sk));
  for (const { sk } of work) {
    known.add(sk);
  }

  return added;
}

/** Returns the work that was planned since the last call. */
async function newWork() {
  const [added] = await unknownWork();
  if (!added) {
    throw new Error('No work is planned');
  }

  return added;
}

/** A new customer asks a question. The worker of the answer or of its follow-up crashes. */
async function ask(crashing: 'answer' | 'followUp', death: Death) {
  const from = newCustomer();
  await world.say(account, { type: 'message', text: 'What is the price?', from });
  await drainWork('inbound-events');
  await drainWork('reply-planning');
  const answer = await newWork();
  const answering = await untilDeath(crashing === 'answer' ? death : never, () =>
    doWork(repliesWorker, answer),
  );
  if (crashing === 'answer') {
    // The follow-up of this customer must not count as work of the next one.
    await unknownWork();

    return { ...answering, customerId: from.id };
  }
  const followUp = await newWork();
  setClock(() => Date.now() + 61 * minuteMs);
  const lived = await untilDeath(death, () => doWork(repliesWorker, followUp));
  setClock();

  return { ...lived, customerId: from.id };
}

async function conversationOf(customerId: string): Promise<string> {
  const claim = await get<{ conversationId: string }>(
    keys.conversationClaim(ada.organizationId, account.id, 'DIRECT_MESSAGE', customerId),
  );

  return String(claim?.conversationId);
}

/** Returns how often the customer got the follow-up, and its stored status. */
async function outcomeOf(customerId: string) {
  const messages = await query<Message>(
    ranges.conversationMessages(ada.organizationId, await conversationOf(customerId)),
  );
  const sent = (await world.replies(account)).filter((one) => one.to === customerId);
  const statusOf = (isFollowUp: boolean) =>
    messages
      .filter(({ direction }) => direction === 'OUT')
      .filter((one) => (one.text === text) === isFollowUp)
      .map(({ status }) => status)
      .join();

  return {
    answer: statusOf(false),
    followUp: `${sent.filter((one) => one.text === text).length} ${statusOf(true)}`,
    charged: messages.filter(({ status }) => status === 'SENT').length,
  };
}

test.each([
  ['answer', 'a write'],
  ['answer', 'a call'],
  ['followUp', 'a write'],
  ['followUp', 'a call'],
] as const)(
  'one follow-up is sent for one credit, wherever the worker of the %s crashes at %s',
  async (crashing, at) => {
    await ask(crashing, never);
    const { writes, calls } = await ask(crashing, never);
    const customers: string[] = [];
    for (const death of deathsOf(
      at === 'a write' ? writes : calls,
      depth(2, Number.POSITIVE_INFINITY),
      at,
    )) {
      const { hasDied, customerId } = await ask(crashing, death);
      expect(hasDied).toBe(true);
      customers.push(customerId);
    }
    // In the second run, the follow-ups to recovered answers are due.
    await settle();
    await settle();
    setClock();

    const outcomes = await Promise.all(customers.map(outcomeOf));
    expect(outcomes.length).toBeGreaterThan(0);
    for (const { answer, followUp } of outcomes) {
      // After a crash between arming and the call, the outcome is unknown, and the call is never
      // repeated.
      const expected = answer === 'SENT' ? ['1 SENT', '1 UNKNOWN', '0 UNKNOWN'] : ['0 '];
      expect(expected).toContain(followUp);
      expect(['SENT', 'UNKNOWN']).toContain(answer);
    }
    const charged = outcomes.reduce((sum, outcome) => sum + outcome.charged, 4);
    expect(await world.credits()).toEqual([100 - charged, 100 - charged]);
  },
);

const messagesTo = async (customerId: string) =>
  (await world.replies(account)).filter((one) => one.to === customerId && one.text === text).length;

const endings = {
  'a takeover': async (customerId: string) => {
    const answer = await call(pauseConversation, {
      params: {
        organization_id: ada.organizationId,
        conversation_id: await conversationOf(customerId),
      },
      token: ada.token,
    });
    expect(answer.status).toBe(200);
  },
  'an opt-out': async (customerId: string) => {
    const from = { id: customerId, name: 'Charles Babbage' };
    await world.say(account, { type: 'message', text: 'STOP', from });
    await drainWork('inbound-events');
    await drainWork('reply-planning');
  },
} as const;

test.each(['a takeover', 'an opt-out'] as const)(
  'no follow-up is sent after %s, wherever the worker of the follow-up crashed before',
  async (ending) => {
    const { writes } = await ask('followUp', never);
    const sent: Array<readonly [string, number]> = [];
    for (const death of deathsOf(writes, depth(2, Number.POSITIVE_INFINITY))) {
      const { hasDied, customerId } = await ask('followUp', death);
      expect(hasDied).toBe(true);
      setClock(() => Date.now() + 61 * minuteMs);
      await endings[ending](customerId);
      setClock();
      // The work that an opt-out plans must not count as work of the next customer.
      await unknownWork();
      sent.push([customerId, await messagesTo(customerId)]);
    }
    await settle();
    setClock();

    expect(sent.map(([, times]) => times)).toContain(0);
    for (const [customerId, times] of sent) {
      expect(await messagesTo(customerId)).toBe(times);
    }
    const [credits, available] = await world.credits();
    expect(available).toBe(credits);
  },
);
