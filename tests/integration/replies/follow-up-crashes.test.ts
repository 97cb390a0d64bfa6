// In a process of its own: it listens to the DynamoDB client
import { beforeEach, expect, test } from 'vitest';
import { handler as repliesWorker } from '#functions/workers/replies.ts';
import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import type { Message } from '#lib/features/social/conversations/conversation.ts';
import { minuteMs, setClock } from '#lib/platform/clock.ts';
import { keys, ranges } from '#lib/platform/db/keys.ts';
import { get, query } from '#lib/platform/db/read.ts';
import { type Account, newAccount } from '#tests/support/accounts.ts';
import { settle } from '#tests/support/aftermath.ts';
import { type Death, deathsOf, untilDeath, waitForNobody } from '#tests/support/deaths.ts';
import { drainWork } from '#tests/support/work.ts';
import { doWork, newCustomer, type ReplyWorld, replyWorld, waitingWork } from './world.ts';

waitForNobody();

const never = { at: 'a write', nth: Number.POSITIVE_INFINITY, when: 'before' } as const;
const text = 'Do you have any questions?';
const known = new Set<string>();

let ada: Account;
let world: ReplyWorld;
let account: SocialAccount;

beforeEach(async () => {
  ada = await newAccount();
  world = replyWorld(ada);
  account = await world.account();
  const promptTemplateId = await world.template();
  const followUp = { afterMinutes: 60, text, unless: 'REPLIED' };
  await world.campaign(account, {
    agentConfigs: [{ channel: 'DIRECT_MESSAGE', promptTemplateId, followUp }],
  });
});

/** Returns the work that was planned since the last call. */
async function newWork() {
  const work = await waitingWork('reply', ada.organizationId);
  const added = work.find(({ sk }) => !known.has(sk));
  for (const { sk } of work) {
    known.add(sk);
  }
  if (!added) {
    throw new Error('No work is planned');
  }

  return added;
}

/** Lets a new customer ask. The worker of the answer or of its follow-up crashes. */
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
    // Its follow-up is not work of the next customer.
    for (const { sk } of await waitingWork('reply', ada.organizationId)) {
      known.add(sk);
    }

    return { ...answering, customerId: from.id };
  }
  const followUp = await newWork();
  setClock(() => Date.now() + 61 * minuteMs);
  const lived = await untilDeath(death, () => doWork(repliesWorker, followUp));
  setClock();

  return { ...lived, customerId: from.id };
}

/** Returns how often the customer got the follow-up, and the status of what is stored of it. */
async function outcomeOf(customerId: string) {
  const claim = await get<{ conversationId: string }>(
    keys.conversationClaim(ada.organizationId, account.id, 'DIRECT_MESSAGE', customerId),
  );
  const messages = await query<Message>(
    ranges.conversationMessages(ada.organizationId, String(claim?.conversationId)),
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
  'sends one follow-up for one credit, wherever the worker of the %s crashes at %s',
  async (crashing, at) => {
    await ask(crashing, never);
    const { writes, calls } = await ask(crashing, never);
    const customers: string[] = [];
    for (const death of deathsOf(at === 'a write' ? writes : calls, undefined, at)) {
      const { hasDied, customerId } = await ask(crashing, death);
      expect(hasDied).toBe(true);
      customers.push(customerId);
    }
    // The second time, the follow-ups to recovered answers are due.
    await settle();
    await settle();
    setClock();

    const outcomes = await Promise.all(customers.map(outcomeOf));
    expect(outcomes.length).toBeGreaterThan(0);
    for (const { answer, followUp } of outcomes) {
      // A crash between arming and the call leaves the outcome unknown, and is never repeated.
      const expected = answer === 'SENT' ? ['1 SENT', '1 UNKNOWN', '0 UNKNOWN'] : ['0 '];
      expect(expected).toContain(followUp);
      expect(['SENT', 'UNKNOWN']).toContain(answer);
    }
    const charged = outcomes.reduce((sum, outcome) => sum + outcome.charged, 4);
    expect(await world.credits()).toEqual([100 - charged, 100 - charged]);
  },
  240_000,
);
