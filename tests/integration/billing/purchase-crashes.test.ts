import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { minuteMs, setClock } from '#lib/clock.ts';
import { getBalance, purchaseCredits } from '#schemas/billing.ts';
import {
  type DynamoDbProxy,
  startDynamoDbProxy,
} from '#scripts/dynamodb-proxy/start-dynamodb-proxy.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import {
  balanceOf,
  defaultCardOf,
  deliverAll,
  expectBalanced,
  paidBy,
  runReconcileJob,
} from '#tests/support/billing.ts';
import { depth } from '#tests/support/depth.ts';
import { callInProcess } from '#tests/support/doomed-call.ts';
import { sandbox } from '#tests/support/mails.ts';

vi.setConfig({ testTimeout: 60_000 });

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

const steps = [
  ['before it is written down', 'PutItem', 'before', 0],
  ['after it is written down', 'PutItem', 'after', 0],
  ['between the charge and the credit', 'TransactWriteItems', 'before', 1],
  ['after the credit', 'TransactWriteItems', 'after', 1],
] as const;
const runs = Array.from({ length: depth(1) }, () => steps).flat();

describe('a purchase whose process dies', () => {
  it.each(runs)(
    '%s ends charged and credited, or neither',
    async (_, operation, when, payments) => {
      const { token, organizationId } = await newAccount();
      const body = { amount: 10, paymentMethodId: await defaultCardOf(organizationId) };
      const doomed = callInProcess(purchaseCredits, { token, body }, proxy.endpoint);
      proxy.faults.add({ operation, nth: 1, fault: { kind: 'kill', when, victim: doomed.kill } });
      expect(await doomed.answer).toBeUndefined();
      expect(proxy.faults.hits()).toHaveLength(1);

      setClock(() => Date.now() + minuteMs);
      await runReconcileJob();
      setClock();
      await deliverAll();

      expect(await paidBy(organizationId)).toHaveLength(payments);
      expect((await balanceOf(organizationId)).credits).toBe(100 + payments * 1_000);
      await expectBalanced(organizationId);
    },
  );
});

describe('the limit of payments', () => {
  it('lets exactly ten of many at once pass in a minute, and others are not touched', async () => {
    const [one, other] = [await newAccount(), await newAccount()];
    const body = { amount: 1, paymentMethodId: 'pm_1' };
    const began = Math.floor(Date.now() / 60_000);
    setClock(() => began * 60_000 + 30_000);

    const answers = await Promise.all(
      Array.from({ length: 200 }, () => call(purchaseCredits, { token: one.token, body })),
    );

    expect(answers.filter(({ status }) => status === 400)).toHaveLength(10);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(190);
    expect(refused[0]?.headers).toMatchObject({
      'retry-after': '30',
      'ratelimit-policy': '"payment";q=10;w=60',
      ratelimit: '"payment";r=0;t=30',
    });
    expect((await call(purchaseCredits, { token: other.token, body })).status).toBe(400);
    expect((await call(getBalance, { token: one.token })).status).toBe(200);
  });
});
