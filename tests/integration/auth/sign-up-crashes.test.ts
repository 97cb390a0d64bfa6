import { describe, expect, it, vi } from 'vitest';
import { minuteMs, setClock } from '#lib/platform/clock.ts';
import { getMe, logIn, signUp } from '#schemas/auth.ts';
import type { Moment } from '#scripts/dynamodb-proxy/faults.ts';
import { password, signUpBody } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { callInProcess } from '#tests/support/doomed-call.ts';
import { runDueWork } from '#tests/support/due-work.ts';
import { sandbox } from '#tests/support/mails.ts';
import { customersOf } from '#tests/support/provider.ts';
import { useProxy } from '#tests/support/proxy.ts';
import { storedItems } from '#tests/support/table.ts';

// Each test starts a process, which is slow on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const proxy = await useProxy();

/** Expects the user to end up with exactly one account, organization and customer. */
async function expectOneAccount(email: string): Promise<void> {
  setClock(() => Date.now() + 11 * minuteMs);
  await runDueWork();
  setClock();
  const customers = await customersOf(email);
  expect(customers).toHaveLength(1);
  expect(await storedItems('SIGNUP#')).toEqual([]);
  const items = await storedItems();
  expect(items.filter((item) => item.sk === 'PROFILE' && item.email === email)).toHaveLength(1);
  const billing = items.filter((item) => item.billingEmail === email);
  expect(billing.map(({ customerId }) => customerId)).toEqual([customers[0]?.id]);

  const signedIn = await call(logIn, { body: { email, password } });
  expect(signedIn.status).toBe(200);
  const me = await call(getMe, { token: signedIn.body.authToken });
  expect(me.body.user.currentOrganization).toMatchObject({
    id: billing[0]?.organizationId,
    role: 'OWNER',
  });
}

const uncommitted: ReadonlyArray<readonly [string, { operation: string; when: Moment }]> = [
  ['before storing the attempt', { operation: 'PutItem', when: 'before' }],
  ['after storing the attempt', { operation: 'PutItem', when: 'after' }],
  [
    'between creating the customer and the account',
    { operation: 'TransactWriteItems', when: 'before' },
  ],
];

describe('a signup that crashes', () => {
  it.each(uncommitted)(
    'can be retried immediately after crashing %s',
    async (_, { operation, when }) => {
      const body = signUpBody();
      const doomed = await callInProcess(signUp, { body }, proxy.endpoint);
      proxy.faults.add({ operation, nth: 1, fault: { kind: 'kill', when, victim: doomed.kill } });
      expect(await doomed.answer).toBeUndefined();
      expect(proxy.faults.hits()).toHaveLength(1);

      expect((await call(signUp, { body })).status).toBe(201);
      await expectOneAccount(body.email);
    },
  );

  it('can be retried immediately after crashing while the provider creates the customer', async () => {
    const body = signUpBody();
    await sandbox.addFault({ service: 'stripe', method: 'POST', mode: 'hang-after', times: 1 });
    const doomed = await callInProcess(signUp, { body }, proxy.endpoint);
    await expect.poll(() => customersOf(body.email)).toHaveLength(1);
    await doomed.kill();
    expect(await doomed.answer).toBeUndefined();

    await sandbox.clearFaults();
    expect((await call(signUp, { body })).status).toBe(201);
    expect(await customersOf(body.email)).toHaveLength(2);
    await expectOneAccount(body.email);
  });

  it('leaves a complete account that can sign in if it crashes after storing it', async () => {
    const body = signUpBody();
    const doomed = await callInProcess(signUp, { body }, proxy.endpoint);
    proxy.faults.add({
      operation: 'TransactWriteItems',
      nth: 1,
      fault: { kind: 'kill', when: 'after', victim: doomed.kill },
    });
    expect(await doomed.answer).toBeUndefined();
    expect(proxy.faults.hits()).toHaveLength(1);

    expect((await call(signUp, { body })).status).toBe(409);
    await expectOneAccount(body.email);
  });
});

describe('a signup without faults', () => {
  it('works through the same process and proxy', async () => {
    const body = signUpBody();
    const undisturbed = await callInProcess(signUp, { body }, proxy.endpoint);
    const answer = await undisturbed.answer;

    expect(answer?.statusCode).toBe(201);
    await expectOneAccount(body.email);
  });
});
