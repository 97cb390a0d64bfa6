import { beforeEach, describe, expect, test, vi } from 'vitest';
import { handler as repliesWorker } from '#functions/workers/replies.ts';
import { dayMs, hourMs, setClock } from '#lib/platform/clock.ts';
import { getOrganizationHealth } from '#schemas/health.ts';
import { type Account, newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { mailsTo, sandbox } from '#tests/support/mails.ts';
import { drainWork } from '#tests/support/work.ts';
import { doWork, newCustomer, type ReplySetup, replySetup, waitingWork } from './setup.ts';

let ada: Account;
let world: ReplySetup;

beforeEach(async () => {
  vi.stubEnv('AI_REPLIES_PER_ACCOUNT_HOUR', '2');
  ada = await newAccount();
  world = replySetup(ada);
  await world.agent();
});

const question = { type: 'message', text: 'What is the price?' } as const;

async function alerts(): Promise<readonly string[]> {
  const { body } = await call(getOrganizationHealth, {
    params: { organization_id: ada.organizationId },
    token: ada.token,
  });

  return body.health.alerts.map(({ type }: { readonly type: string }) => type);
}

async function asked(): Promise<number> {
  return (await sandbox.requests({ service: 'openai' })).length;
}

async function limitMails() {
  const mails = await mailsTo(ada.email);

  return mails.filter(({ subject }) => subject.startsWith('Automatic replies paused'));
}

/** The start of the next hour, so that the test does not run across its end. */
function nextHour(): number {
  return (Math.floor(Date.now() / hourMs) + 1) * hourMs;
}

describe('the hourly limit of replies per account', () => {
  test('is exact when replies are sent at once, and costs no credit above it', async () => {
    const account = await world.account();
    await Promise.all(
      Array.from({ length: 5 }, () => world.say(account, { ...question, from: newCustomer() })),
    );
    await drainWork('inbound-events');
    await drainWork('reply-planning');
    const [before] = await world.credits();
    const work = await waitingWork('reply', ada.organizationId);
    await Promise.all(work.map((key) => doWork(repliesWorker, key)));
    await world.workOff();

    expect(work).toHaveLength(5);
    expect(await world.replies(account)).toHaveLength(2);
    expect(await world.credits()).toEqual([before - 2, before - 2]);
    const reasons = (await world.conversations(account)).map(({ stopReason }) => stopReason);
    expect(reasons.toSorted()).toEqual([
      'RATE_LIMITED',
      'RATE_LIMITED',
      'RATE_LIMITED',
      null,
      null,
    ]);
  });

  test('is reported once by an alert and an email, and the AI service is not asked', async () => {
    setClock(() => nextHour());
    const account = await world.account();
    const before = await asked();
    for (let customer = 0; customer < 4; customer += 1) {
      await world.say(account, { ...question, from: newCustomer() });
      await world.workOff();
    }

    expect(await world.replies(account)).toHaveLength(2);
    expect((await asked()) - before).toBe(2);
    expect(await alerts()).toContain('REPLIES_LIMITED');
    expect(await limitMails()).toMatchObject([
      { subject: expect.stringContaining(account.platformUserName) },
    ]);

    setClock(() => nextHour() + dayMs + hourMs);
    expect(await alerts()).not.toContain('REPLIES_LIMITED');
  });

  test('does not affect another account, and ends with the hour', async () => {
    setClock(() => nextHour());
    const [account, other] = await Promise.all([world.account(), world.account()]);
    const say = async (to: typeof account) => {
      await world.say(to, { ...question, from: newCustomer() });
      await world.workOff();
    };
    for (const to of [account, account, account, other]) {
      await say(to);
    }
    expect(await world.replies(account)).toHaveLength(2);
    expect(await world.replies(other)).toHaveLength(1);

    setClock(() => nextHour() + hourMs);
    await say(account);
    expect(await world.replies(account)).toHaveLength(3);
  });
});
