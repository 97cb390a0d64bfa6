import * as fc from 'fast-check';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { handler as deliverMails } from '#functions/workers/mail-delivery.ts';
import { minuteMs, secondMs, setClock } from '#lib/platform/clock.ts';
import { type Key, keys } from '#lib/platform/db/keys.ts';
import { get } from '#lib/platform/db/read.ts';
import { write } from '#lib/platform/db/write.ts';
import { planMail } from '#lib/platform/mail/outgoing-mail.ts';
import { ensureWork } from '#lib/platform/work/one-at-a-time.ts';
import { type OutboxItem, planWork } from '#lib/platform/work/outbox.ts';
import { type WorkHandler, worker } from '#lib/platform/work/worker.ts';
import { accountSubscriptionWork, contentPublishWork } from '#schemas/work-payloads.ts';
import { freshEmail } from '#tests/support/accounts.ts';
import { lambdaContext } from '#tests/support/api.ts';
import { depth } from '#tests/support/depth.ts';
import { sandbox } from '#tests/support/mails.ts';
import { storedItems, storeItem } from '#tests/support/table.ts';
import { sqsEvent } from '#tests/support/work.ts';

type Message = { readonly MessageId: string; readonly Body: string };

const owner = keys.user('0192f0c1-7b5a-7c3e-9d2f-3a5b8c1d4e6f');

let numbers = 0;

beforeAll(async () => {
  await deliverMails(sqsEvent([]), lambdaContext());
});

afterEach(() => {
  vi.useRealTimers();
});

function messageWith(body: unknown): Message {
  numbers += 1;

  return {
    MessageId: `message-${numbers}`,
    Body: typeof body === 'string' ? body : JSON.stringify(body),
  };
}

/** Creates a mail to be sent and its queue message. */
async function plannedMail(): Promise<{ email: string; key: Key; message: Message }> {
  const email = freshEmail();
  const mail = await planMail(owner, { to: email, subject: 'Hello', text: 'Hello', html: 'Hello' });
  const { afterwards: _, ...undispatched } = mail;
  await write(undispatched);
  const { pk, sk } = mail.key;

  return { email, key: { pk, sk }, message: messageWith({ pk, sk }) };
}

async function plannedMails(number: number) {
  const planned: Array<Awaited<ReturnType<typeof plannedMail>>> = [];
  while (planned.length < number) {
    planned.push(await plannedMail());
  }

  return planned;
}

async function deliver(messages: readonly Message[]): Promise<readonly string[]> {
  const { batchItemFailures } = await deliverMails(sqsEvent(messages), lambdaContext());

  return batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
}

async function sentTo(emails: readonly string[]): Promise<readonly number[]> {
  const mails = await sandbox.mails();

  return emails.map((email) => mails.filter(({ to }) => to === email).length);
}

const poisons: readonly unknown[] = [
  'not json',
  '',
  'null',
  [],
  {},
  { pk: 'USER#x' },
  { pk: 7, sk: 'OUTBOX#mail#x' },
  { pk: 'ORG#x', sk: 'OUTBOX#organizationRemoval#x' },
  { pk: 'ORG#x', sk: 'ORG' },
  { pk: '', sk: 'OUTBOX#mail#x' },
];

describe('a batch', () => {
  test.each([0, 3, 10])(
    'with %i invalid messages of ten reports exactly these as failed',
    async (k) => {
      const good = await plannedMails(10 - k);
      const bad = fc.sample(fc.shuffledSubarray([...poisons], { minLength: k, maxLength: k }), 1);
      const badMessages = (bad[0] ?? []).map(messageWith);
      const [batch = []] = fc.sample(
        fc.shuffledSubarray([...badMessages, ...good.map(({ message }) => message)], {
          minLength: 10,
        }),
        1,
      );

      const failed = await deliver(batch);

      expect(failed.toSorted()).toEqual(badMessages.map(({ MessageId }) => MessageId).toSorted());
      expect(await sentTo(good.map(({ email }) => email))).toEqual(good.map(() => 1));
    },
  );

  test.each(poisons)('with the invalid message %j changes nothing', async (body) => {
    const before = await storedItems();

    expect(await deliver([messageWith(body)])).toHaveLength(1);

    expect(await storedItems()).toEqual(before);
  });

  test('completes a message whose work no longer exists', async () => {
    const message = messageWith(keys.outbox(owner, 'mail', 'long-gone'));

    expect(await deliver([message])).toEqual([]);
  });
});

describe('a message that is delivered more than once', () => {
  test('sends no second mail when repeated later', async () => {
    const { email, message } = await plannedMail();

    for (let delivery = 0; delivery < 5; delivery += 1) {
      expect(await deliver([message])).toEqual([]);
    }

    expect(await sentTo([email])).toEqual([1]);
  });

  test('sends one mail when repeated concurrently', async () => {
    const planned = await plannedMails(10);

    await Promise.all(
      planned.flatMap(({ message }) => [deliver([message, message]), deliver([message])]),
    );

    expect(await sentTo(planned.map(({ email }) => email))).toEqual(planned.map(() => 1));
  });

  test('has one effect when repeated one to five times in any order and batching', async () => {
    const planned = await plannedMails(depth(100));
    const deliveries = planned.flatMap(({ message }, index) =>
      Array.from({ length: 1 + (index % 5) }, () => message),
    );
    const [shuffled = []] = fc.sample(
      fc.shuffledSubarray(deliveries, { minLength: deliveries.length }),
      1,
    );

    for (let start = 0; start < shuffled.length; start += 20) {
      await Promise.all([
        deliver(shuffled.slice(start, start + 10)),
        deliver(shuffled.slice(start + 10, start + 20)),
      ]);
    }

    expect(new Set(await sentTo(planned.map(({ email }) => email)))).toEqual(new Set([1]));
    expect((await storedItems(owner.pk)).filter(({ sk }) => sk.startsWith('OUTBOX#'))).toEqual([]);
  });
});

describe('a mail', () => {
  test('that the mail service rejects is reported, kept and sent on retry', async () => {
    const { email, key, message } = await plannedMail();
    await sandbox.addFault({ service: 'ses', mode: 'error', status: 503 });
    expect(await deliver([message])).toEqual([message.MessageId]);
    expect(await storedItems(key.pk)).toContainEqual(expect.objectContaining(key));
    await sandbox.clearFaults();

    expect(await deliver([message])).toEqual([]);

    expect(await sentTo([email])).toEqual([1]);
  });

  test('that a crashed worker has claimed is sent by the next one after the lease expires', async () => {
    const { email, key, message } = await plannedMail();
    const [item] = (await storedItems(key.pk)).filter(({ sk }) => sk === key.sk);
    const leaseUntil = new Date(Date.now() + minuteMs).toISOString();
    await storeItem({ ...item, ...key, leaseUntil });
    expect(await deliver([message])).toEqual([]);
    expect(await sentTo([email])).toEqual([0]);

    setClock(() => Date.now() + minuteMs + 1_000);
    expect(await deliver([message])).toEqual([]);

    expect(await sentTo([email])).toEqual([1]);
  });

  test('is stored encrypted, bound to its own record', async () => {
    const { email, key } = await plannedMail();
    const [item] = (await storedItems(key.pk)).filter(({ sk }) => sk === key.sk);
    expect(JSON.stringify(item)).not.toMatch(/Hello|example\.com/);
    const elsewhere = keys.outbox(owner, 'mail', 'elsewhere');
    await storeItem({ ...item, ...elsewhere });

    const moved = messageWith(elsewhere);
    expect(await deliver([moved])).toEqual([moved.MessageId]);

    expect(await sentTo([email])).toEqual([0]);
  });
});

const roundOf = (accountId: string) => ({
  organizationId: '',
  accountId,
  postIds: [],
  completeAt: '',
});

describe('work that is processed one piece at a time', () => {
  const workId = 'account';
  const key = keys.outbox(owner, 'contentPublish', workId);
  const ensure = (name: string) =>
    ensureWork('contentPublish', { owner, workId, payload: roundOf(name) });
  const deliverTo = (handle: WorkHandler<'contentPublish'>) =>
    worker(
      'contentPublish',
      contentPublishWork,
      handle,
    )(sqsEvent([messageWith(key)]), lambdaContext(150_000));

  test('stays with its worker, however long it takes', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    let aheadMs = 0;
    setClock(() => Date.now() + aheadMs);
    await ensure('first');
    const leaseUntil = async () => (await get<OutboxItem>(key))?.leaseUntil;
    const others: unknown[] = [];
    await deliverTo(async () => {
      while (aheadMs < minuteMs) {
        const last = await leaseUntil();
        aheadMs += 5 * secondMs;
        vi.advanceTimersToNextTimer();
        await expect.poll(leaseUntil).not.toBe(last);
      }
      await deliverTo(async ({ payload }) => {
        others.push(payload.accountId);

        return 'done';
      });

      return 'done';
    });

    expect(others).toEqual([]);
    expect(await get(key)).toBeUndefined();
    expect(vi.getTimerCount()).toBe(0);
  });

  test('is done once more, with the latest request, when it is requested again during processing', async () => {
    const done: string[] = [];
    const handle: WorkHandler<'contentPublish'> = async ({ payload: { accountId } }) => {
      done.push(accountId);
      if (accountId === 'first') {
        expect(await ensure('second')).toBe(false);
        expect(await ensure('third')).toBe(false);
      }

      return 'done';
    };
    expect(await ensure('first')).toBe(true);
    await deliverTo(handle);
    await deliverTo(handle);
    await deliverTo(handle);

    expect(done).toEqual(['first', 'third']);
  });
});

describe('completing work that another worker or request has taken over', () => {
  test('keeps the work when other work has replaced it', async () => {
    const workId = 'replaced';
    const planned = (accountId: string) =>
      planWork('accountSubscription', {
        owner,
        workId,
        payload: { organizationId: '', accountId },
        replaces: true,
        leaveToSweep: true,
      });
    const done: string[] = [];
    const handle: WorkHandler<'accountSubscription'> = async ({ payload: { accountId } }) => {
      done.push(accountId);
      if (accountId === 'first') {
        await write(planned('second'));
      }

      return 'done';
    };
    const { key } = planned('first');
    const deliverIt = () =>
      worker(
        'accountSubscription',
        accountSubscriptionWork,
        handle,
      )(sqsEvent([messageWith(key)]), lambdaContext());
    await write(planned('first'));
    await deliverIt();
    expect(await get(key)).toMatchObject({ payload: expect.stringContaining('"second"') });
    await deliverIt();

    expect(done).toEqual(['first', 'second']);
    expect(await get(key)).toBeUndefined();
  });

  test('keeps the work when its lease expired and another worker has it', async () => {
    const it = { organizationId: '', accountId: 'it' };
    const planned = planWork('accountSubscription', { owner, payload: it, leaveToSweep: true });
    const deliverTo = (handle: WorkHandler<'accountSubscription'>) =>
      worker(
        'accountSubscription',
        accountSubscriptionWork,
        handle,
      )(sqsEvent([messageWith(planned.key)]), lambdaContext());
    const [taken, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let other: Promise<unknown> = Promise.resolve();
    await write(planned);
    await deliverTo(async () => {
      setClock(() => Date.now() + minuteMs);
      other = deliverTo(async () => {
        taken.resolve();
        await goOn.promise;

        return { againInMs: minuteMs };
      });
      await taken.promise;

      return 'done';
    });
    expect(await get(planned.key)).toMatchObject({ leaseId: expect.any(String) });
    goOn.resolve();
    await other;

    const left = await get<OutboxItem>(planned.key);
    expect(left).toMatchObject({ payload: JSON.stringify(it), attempts: 0 });
    expect(left?.leaseUntil).toBeUndefined();
  });
});
