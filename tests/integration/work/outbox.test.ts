import type { SendMessageCommandInput } from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { handler } from '#functions/jobs/due-work.ts';
import { dayMs, hourMs, minuteMs, setClock } from '#lib/platform/clock.ts';
import { dueShard } from '#lib/platform/db/keys/system.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { client } from '#lib/platform/queue/queue.ts';
import { forgotPassword } from '#schemas/auth.ts';
import { acceptInvitation, inviteMember, listInvitations } from '#schemas/organizations.ts';
import type { Moment } from '#scripts/dynamodb-proxy/faults.ts';
import { freshEmail, newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { callInProcess } from '#tests/support/doomed-call.ts';
import { runDueWork } from '#tests/support/due-work.ts';
import { logSince, metricLinesSince, placeInLog } from '#tests/support/log-book.ts';
import { mailsTo, sandbox, tokenIn } from '#tests/support/mails.ts';
import { organizationWith } from '#tests/support/organizations.ts';
import { startLater } from '#tests/support/own-table.ts';
import { useProxy } from '#tests/support/proxy.ts';
import { liftRateLimits } from '#tests/support/registry/lift-rate-limits.ts';
import { storedItems, storeItem } from '#tests/support/table.ts';
import { drainWork } from '#tests/support/work.ts';

const sweep = () => startLater(handler);

const queues = process.env.QUEUE_URL_PREFIX;

const proxy = await useProxy();
let organizationId: string;

const ada = await newAccount();
liftRateLimits();

beforeEach(async () => {
  organizationId = await organizationWith(ada);
});

afterEach(() => {
  vi.restoreAllMocks();
  process.env.QUEUE_URL_PREFIX = queues;
});

function invitation(email: string) {
  return {
    params: { organization_id: organizationId },
    body: { email, role: 'MEMBER' },
    token: ada.token,
  };
}

/** Sends an invitation while the queues are unreachable. */
async function inviteWithoutQueues(email: string): Promise<void> {
  process.env.QUEUE_URL_PREFIX = `${queues}gone-`;
  const { status } = await call(inviteMember, invitation(email));
  process.env.QUEUE_URL_PREFIX = queues;
  expect(status).toBe(201);
}

function advanceClock(ms: number): void {
  setClock(() => Date.now() + ms);
}

async function outbox() {
  const { pk } = keys.organization(organizationId);

  return (await storedItems(pk)).filter(({ sk }) => sk.startsWith('OUTBOX#'));
}

async function invited(): Promise<number> {
  const { body } = await call(listInvitations, {
    params: { organization_id: organizationId },
    token: ada.token,
  });

  return body.total;
}

describe('a crashed process', () => {
  const die = async (email: string, when: Moment) => {
    const doomed = await callInProcess(inviteMember, invitation(email), proxy.endpoint);
    const fault = { kind: 'kill', when, victim: doomed.kill } as const;
    proxy.faults.add({ operation: 'TransactWriteItems', nth: 1, fault });
    expect(await doomed.answer).toBeUndefined();
    expect(proxy.faults.hits()).toHaveLength(1);
  };

  test('after the change and before the message has its mail sent once by the sweep', async () => {
    const guest = await newAccount();
    await die(guest.email, 'after');
    expect(await invited()).toBe(1);
    expect(await mailsTo(guest.email)).toEqual([]);

    advanceClock(minuteMs + 1_000);
    await runDueWork();

    const mails = await mailsTo(guest.email);
    expect(mails).toHaveLength(1);
    const { status } = await call(acceptInvitation, {
      body: { token: tokenIn(mails[0]) },
      token: guest.token,
    });
    expect(status).toBe(200);
    expect(await outbox()).toEqual([]);
  });

  test('before the change leaves neither the change nor the mail', async () => {
    const email = freshEmail();
    await die(email, 'before');

    advanceClock(hourMs);
    await runDueWork();

    expect(await mailsTo(email)).toEqual([]);
    expect(await outbox()).toEqual([]);
    setClock();
    expect(await invited()).toBe(0);
  });
});

describe('a message to a worker', () => {
  /** Records the group ids of messages sent from now on, because the local queues drop them. */
  const groupsSent = () => {
    const send = vi.spyOn(client, 'send');

    return () =>
      send.mock.calls.map(([{ input }]) => (input as SendMessageCommandInput).MessageGroupId);
  };

  test("carries its organization's group id, so that organizations do not block each other", async () => {
    const groups = groupsSent();
    await call(inviteMember, invitation(freshEmail()));

    expect(groups()).toEqual([organizationId]);
  });

  test('carries the group id when the sweep sends it', async () => {
    await inviteWithoutQueues(freshEmail());
    advanceClock(2 * minuteMs);
    const groups = groupsSent();
    await sweep();

    expect(groups()).toContain(organizationId);
  });

  test('without an organization has a separate group', async () => {
    const groups = groupsSent();
    await call(forgotPassword, { body: { email: ada.email } });

    expect(groups()).toEqual([undefined]);
  });
});

describe('the sweep', () => {
  test('takes no work that is not due or already done', async () => {
    const [waiting, done] = [freshEmail(), freshEmail()];
    await inviteWithoutQueues(waiting);
    await call(inviteMember, invitation(done));
    await drainWork();

    expect(await sweep()).toEqual({ sent: 0 });
    advanceClock(minuteMs + 1_000);
    expect(await sweep()).toEqual({ sent: 1 });

    expect(await mailsTo(waiting)).toHaveLength(1);
    expect(await mailsTo(done)).toHaveLength(1);
  });

  test('sends all messages that were delayed by a queue outage, once', async () => {
    const emails = Array.from({ length: 20 }, () => freshEmail());
    for (const email of emails) {
      await inviteWithoutQueues(email);
    }

    advanceClock(hourMs);
    await runDueWork();

    for (const email of emails) {
      expect(await mailsTo(email)).toHaveLength(1);
    }
    expect(await outbox()).toEqual([]);
  });

  test('sends each message once in concurrent runs', async () => {
    const emails = Array.from({ length: 10 }, () => freshEmail());
    for (const email of emails) {
      await inviteWithoutQueues(email);
    }
    advanceClock(minuteMs + 1_000);

    const sweeps = await Promise.all([sweep(), sweep(), sweep()]);

    expect(sweeps.reduce((sum, { sent }) => sum + sent, 0)).toBe(10);
    for (const email of emails) {
      expect(await mailsTo(email)).toHaveLength(1);
    }
  });

  test('retries five minutes later while the queues are down', async () => {
    const email = freshEmail();
    await inviteWithoutQueues(email);
    process.env.QUEUE_URL_PREFIX = `${queues}gone-`;
    advanceClock(minuteMs + 1_000);
    await expect(sweep()).rejects.toThrow();
    process.env.QUEUE_URL_PREFIX = queues;
    expect(await sweep()).toEqual({ sent: 0 });

    advanceClock(7 * minuteMs);
    expect(await sweep()).toEqual({ sent: 1 });

    expect(await mailsTo(email)).toHaveLength(1);
  });

  test('retries until the mail service is up, and logs no mail content', async () => {
    const email = freshEmail();
    await sandbox.addFault({ service: 'ses', mode: 'down' });
    await call(inviteMember, invitation(email));
    const place = placeInLog();
    await drainWork();
    expect(logSince(place)).toEqual([expect.stringContaining('will be tried again')]);
    for (const minutes of [2, 8]) {
      advanceClock(minutes * minuteMs);
      expect(await sweep()).toEqual({ sent: 1 });
      await drainWork();
    }
    expect(await sandbox.mails(email)).toEqual([]);
    await sandbox.clearFaults();

    advanceClock(14 * minuteMs);
    await runDueWork();

    expect(await mailsTo(email)).toHaveLength(1);
    expect(await outbox()).toEqual([]);
  });

  test('gives up after a day of attempts, reports it, and keeps the work for a month', async () => {
    const email = freshEmail();
    await inviteWithoutQueues(email);
    const [item] = await outbox();
    await storeItem({ pk: '', sk: '', ...item, attempts: 287 });
    const place = placeInLog();
    advanceClock(minuteMs + 1_000);

    expect(await sweep()).toEqual({ sent: 0 });

    expect(metricLinesSince(place, 'LostWork')).toMatchObject([
      {
        message: 'A piece of work was given up after many tries',
        kind: 'mail',
        sortKey: item?.sk,
        LostWork: 1,
      },
    ]);
    const [kept] = await outbox();
    expect(kept).toMatchObject({ sk: item?.sk, attempts: 288 });
    expect(kept).not.toHaveProperty('dueAt');
    const keptForMs = Number(kept?.expiresAtSeconds) * 1_000 - Date.now();
    expect(Math.round(keptForMs / dayMs)).toBe(30);
    advanceClock(dayMs);
    expect(await sweep()).toEqual({ sent: 0 });
    expect(await mailsTo(email)).toEqual([]);
  });

  test('skips items of an unknown kind', async () => {
    const strange = { pk: 'USER#strange', sk: 'OUTBOX#unheardOf#1' };
    await storeItem({ ...strange, duePk: dueShard('DUE', 0), dueAt: '2020-01-01T00:00:00.000Z' });
    const email = freshEmail();
    await inviteWithoutQueues(email);
    const place = placeInLog();
    advanceClock(minuteMs + 1_000);

    expect(await sweep()).toEqual({ sent: 1 });
    advanceClock(minuteMs + 1_000);
    await sweep();

    expect(metricLinesSince(place, 'LostWork')).toMatchObject([
      { message: 'An item of an unknown kind is due', sortKey: strange.sk, LostWork: 1 },
    ]);
    expect(await mailsTo(email)).toHaveLength(1);
  });
});
