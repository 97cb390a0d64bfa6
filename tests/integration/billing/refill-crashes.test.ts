import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { handler as sweep } from '#functions/jobs/due-work.ts';
import { minuteMs, setClock, timestamp } from '#lib/platform/clock.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { change, write } from '#lib/platform/db/write.ts';
import { updateAutoRefillSettings } from '#schemas/billing.ts';
import {
  type DynamoDbProxy,
  startDynamoDbProxy,
} from '#scripts/dynamodb-proxy/start-dynamodb-proxy.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import {
  balanceOf,
  deliverAll,
  expectBalanced,
  paidBy,
  runReconcileJob,
  useCredit,
} from '#tests/support/billing.ts';
import { depth } from '#tests/support/depth.ts';
import { runInProcess } from '#tests/support/doomed-call.ts';
import { sandbox } from '#tests/support/mails.ts';
import { overtake } from '#tests/support/overtake.ts';
import { drainWork, takeWork } from '#tests/support/work.ts';

vi.setConfig({ testTimeout: 120_000 });

let proxy: DynamoDbProxy;

beforeAll(async () => {
  proxy = await startDynamoDbProxy({ target: String(process.env.DYNAMODB_ENDPOINT) });
});
afterAll(() => proxy.close());
afterEach(async () => {
  setClock();
  proxy.faults.clear();
  await sandbox.clearFaults();
});

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

describe('a cap lowered while a refill starts', () => {
  it('stops a refill that would exceed it', async () => {
    const { token, organizationId } = await newAccount();
    const save = (cap?: number) =>
      call(updateAutoRefillSettings, {
        token,
        body: { enabled: true, threshold: 200, amount: 10, ...(cap ? { monthlyCap: cap } : {}) },
      });
    await save();
    const spent = { refillMonth: timestamp().slice(0, 7), refillMonthCents: 1_000 };
    await write(change(keys.balance(organizationId), { set: spent }));

    const begin = () => runInProcess('jobs/credit-refill', {}, proxy.endpoint);
    const { pk, sk } = keys.balance(organizationId);
    const { other } = await overtake(proxy, { begin, keyPrefix: `${pk}/${sk}` }, () => save(15));

    expect(other.status).toBe(200);
    expect(await balanceOf(organizationId)).toMatchObject({ ...spent, refillState: 'IDLE' });
  });
});
