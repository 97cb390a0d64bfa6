import { randomUUID } from 'node:crypto';
import { beforeEach, expect, it } from 'vitest';
import { handler as repliesWorker } from '#functions/workers/replies.ts';
import type { Gap } from '#lib/features/knowledge/gaps.ts';
import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { type Key, keys, ranges } from '#lib/platform/db/keys.ts';
import { query } from '#lib/platform/db/read.ts';
import { change, write } from '#lib/platform/db/write.ts';
import type { HandoverReason } from '#schemas/conversation-reasons.ts';
import { type Account, newAccount } from '#tests/support/accounts.ts';
import { settle } from '#tests/support/aftermath.ts';
import { type Death, deathsOf, untilDeath, waitForNobody } from '#tests/support/deaths.ts';
import { depth } from '#tests/support/depth.ts';
import { sandbox } from '#tests/support/mails.ts';
import { drainWork } from '#tests/support/work.ts';
import { doWork, newCustomer, type ReplySetup, replySetup, waitingWork } from './setup.ts';

waitForNobody();

let ada: Account;
let world: ReplySetup;
let account: SocialAccount;

beforeEach(async () => {
  ada = await newAccount();
  world = replySetup(ada);
  account = await world.account();
});
type Answer = {
  readonly reply: string;
  readonly action: string;
  readonly confidence?: number;
};

type Cause = {
  readonly answer?: Answer;
  readonly agent?: Readonly<Record<string, unknown>>;
  /** The agent has answered the customer once. */
  readonly hasAnswered?: true;
  readonly attachments?: ReadonlyArray<{ readonly kind: 'image' }>;
  /** Prepares the failure. */
  readonly given?: () => Promise<unknown>;
  /** Changes the pending reply. */
  readonly pending?: Readonly<Record<string, unknown>>;
  readonly controller?: 'BOT';
};

const causes: Readonly<Partial<Record<HandoverReason, Cause>>> = {
  HANDOFF: { answer: { reply: 'A person will help.', action: 'HANDOFF' } },
  UNSAFE_ANSWER: { answer: { reply: 'See https://evil.example/now', action: 'REPLY' } },
  LOW_CONFIDENCE: {
    agent: { minConfidence: 0.5 },
    answer: { reply: 'Perhaps.', action: 'REPLY', confidence: 0.4 },
  },
  AI_UNAVAILABLE: {
    given: () => sandbox.addFault({ service: 'openai', mode: 'error', status: 500 }),
    // The next failure is the last one.
    pending: { aiTries: 4 },
  },
  NO_CREDITS: {
    given: () =>
      write(change(keys.balance(ada.organizationId), { set: { credits: 0, available: 0 } })),
    controller: 'BOT',
  },
  MAX_RESPONSES: {
    agent: { maxResponsesPerConversation: 1 },
    hasAnswered: true,
    controller: 'BOT',
  },
  NO_TEXT: { attachments: [{ kind: 'image' }] },
};

const known = new Set<string>();

/** A customer writes. Returns the key of the planned reply. */
async function say({ answer, hasAnswered, pending, attachments = [] }: Cause): Promise<Key> {
  const from = newCustomer();
  if (hasAnswered) {
    await world.say(account, { type: 'message', text: 'Good morning', from });
    await world.workOff();
  }
  const text = `May I speak to a person? ${randomUUID()}`;
  if (answer) {
    await sandbox.giveAiAnswer({ contains: text, ...answer });
  }
  const said = attachments.length > 0 ? { text: '', attachments: [...attachments] } : { text };
  await world.say(account, { type: 'message', from, ...said });
  await drainWork('inbound-events');
  await drainWork('reply-planning');
  const keysNow = await waitingWork('reply', ada.organizationId);
  const key = keysNow.find(({ sk }) => !known.has(sk));
  if (!key) {
    throw new Error('No reply is planned');
  }
  known.add(key.sk);
  if (pending) {
    await write(change(key, { set: pending }));
  }

  return key;
}

async function crash(cause: Cause, death: Death) {
  const key = await say(cause);

  return untilDeath(death, () => doWork(repliesWorker, key));
}

const never = { at: 'a write', nth: Number.POSITIVE_INFINITY, when: 'before' } as const;

it.each(Object.entries(causes))(
  'if a process crashes anywhere during %s, people are notified exactly once',
  async (reason, cause) => {
    await world.agent(cause.agent);
    await cause.given?.();
    // The first run also writes items that exist once per organization.
    await crash(cause, never);
    const { writes } = await crash(cause, never);
    const deaths = deathsOf(writes, depth(2, Number.POSITIVE_INFINITY));
    for (const death of deaths) {
      expect((await crash(cause, death)).hasDied).toBe(true);
    }
    // Other processes continue the work of crashed ones.
    await settle();

    const handedOver = await world.conversations(account);
    const gaps = await query<Gap>(ranges.knowledgeGaps(ada.organizationId));
    const asked = gaps.reduce((sum, { count }) => sum + count, 0);
    expect(asked).toBe(reason === 'LOW_CONFIDENCE' ? handedOver.length : 0);
    expect(handedOver).toHaveLength(deaths.length + 2);
    const mails = (await sandbox.mails(ada.email)).filter(({ subject }) =>
      subject.includes('needs an answer'),
    );
    for (const { id, ...conversation } of handedOver) {
      const about = mails.filter(({ text }) => text?.includes(`/conversations/${id}`));
      expect([reason, about.length]).toEqual([reason, 1]);
      expect(conversation).toMatchObject({
        handedOverAt: expect.any(String),
        waitingSince: expect.any(String),
        controller: cause.controller ?? 'HUMAN',
      });
    }
  },
);
