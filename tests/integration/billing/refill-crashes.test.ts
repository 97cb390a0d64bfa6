import { describe, expect, it, vi } from 'vitest';
import { handler as refill } from '#functions/jobs/credit-refill.ts';
import { handler as sweep } from '#functions/jobs/due-work.ts';
import { handler as charge } from '#functions/workers/refill-charge.ts';
import { minuteMs, setClock, timestamp } from '#lib/platform/clock.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { change, write } from '#lib/platform/db/write.ts';
import { updateAutoRefillSettings } from '#schemas/billing.ts';
import { type Account, newAccount } from '#tests/support/accounts.ts';
import { call, lambdaContext } from '#tests/support/api.ts';
import {
  balanceOf,
  buy,
  deliverAll,
  expectBalanced,
  paidBy,
  runReconcileJob,
  useCredit,
} from '#tests/support/billing.ts';
import { depth } from '#tests/support/depth.ts';
import { runInProcess } from '#tests/support/doomed-call.ts';
import { overtake } from '#tests/support/overtake.ts';
import { useProxy } from '#tests/support/proxy.ts';
import { drainWork, takeWork } from '#tests/support/work.ts';

vi.setConfig({ testTimeout: 120_000 });

const proxy = await useProxy();

/** The worker's writes in order: its claim, the card, the credit, the end of the work. */
const steps = [
  ['before claiming the work', 'UpdateItem', 1, 'before'],
  ['before storing the card', 'UpdateItem', 2, 'before'],
  ['after storing the card', 'UpdateItem', 2, 'after'],
  ['between the charge and the credit', 'TransactWriteItems', 1, 'before'],
  ['after the credit', 'TransactWriteItems', 1, 'after'],
  ['after completing the work', 'DeleteItem', 1, 'after'],
] as const;

describe.each(steps)('a refill whose worker crashes %s', (_, operation, nth, when) => {
  it.each(Array.from({ length: depth(1) }, (_, run) => run + 1))(
    'is charged and credited once (run %i)',
    async () => {
      const { token, organizationId } = await newAccount();
      await call(updateAutoRefillSettings, {
        token,
        body: { enabled: true, threshold: 100, amount: 10 },
      });
      await useCredit(organizationId);
      const event = await takeWork('refill-charge');
      const doomed = await runInProcess('workers/refill-charge', event, proxy.endpoint);
      proxy.faults.add({ operation, nth, fault: { kind: 'kill', when, victim: doomed.kill } });
      expect(await doomed.answer).toBeUndefined();
      expect(proxy.faults.hits()).toHaveLength(1);

      setClock(() => Date.now() + 2 * minuteMs);
      await sweep();
      await drainWork('refill-charge');
      await runReconcileJob();
      setClock();
      await deliverAll();

      expect(await paidBy(organizationId)).toHaveLength(1);
      expect(await balanceOf(organizationId)).toMatchObject({
        credits: 1_099,
        refillState: 'IDLE',
      });
      await expectBalanced(organizationId);
    },
  );
});

it.each([
  ['it was resolved', { status: 'FAILED' }],
  ['another worker chose a card', { paymentMethod: { id: 'pm_1', brand: 'visa', last4: '4242' } }],
])('a refill does not charge its card if %s concurrently', async (_, set) => {
  const { token, organizationId } = await newAccount();
  const body = { enabled: true, threshold: 100, amount: 10 };
  await call(updateAutoRefillSettings, { token, body });
  await useCredit(organizationId);
  const event = await takeWork('refill-charge');
  const { pk } = JSON.parse(event.Records[0]?.body ?? '');
  const key = { pk, sk: 'PAYMENT' };
  const begin = () => charge(event, lambdaContext());
  await overtake({ begin, operation: 'Update', key }, () => write(change(key, { set })));

  expect(await paidBy(organizationId)).toEqual([]);
});

describe('a refill that starts', () => {
  const save = (account: Account, cap?: number) =>
    call(updateAutoRefillSettings, {
      token: account.token,
      body: { enabled: true, threshold: 200, amount: 10, ...(cap ? { monthlyCap: cap } : {}) },
    });

  /** Runs another action after the job has read the balance and before it claims the refill. */
  async function during<Other>({ organizationId }: Account, action: () => Promise<Other>) {
    const begin = () => refill(undefined, lambdaContext());
    const key = keys.balance(organizationId);

    return (await overtake({ begin, key }, action)).other;
  }

  it('stops if it would exceed a cap that is lowered concurrently', async () => {
    const account = await newAccount();
    await save(account);
    const spent = { refillMonth: timestamp().slice(0, 7), refillMonthCents: 1_000 };
    await write(change(keys.balance(account.organizationId), { set: spent }));

    expect((await during(account, () => save(account, 15))).status).toBe(200);

    expect(await balanceOf(account.organizationId)).toMatchObject({
      ...spent,
      refillState: 'IDLE',
    });
  });

  it('stops if credits are bought concurrently', async () => {
    const account = await newAccount();
    await save(account);

    expect((await during(account, () => buy(account, 10))).status).toBe(201);
    await drainWork('refill-charge');

    expect(await paidBy(account.organizationId)).toHaveLength(1);
  });

  it.each([
    ['another amount is set', { set: { refillAmountCents: 2_000 } }],
    ['a payment is disputed', { add: { openDisputes: 1 } }],
  ])('stops if %s concurrently', async (_, changes) => {
    const account = await newAccount();
    await save(account);
    await during(account, () => write(change(keys.balance(account.organizationId), changes)));

    expect(await balanceOf(account.organizationId)).toMatchObject({ refillState: 'IDLE' });
  });
});
