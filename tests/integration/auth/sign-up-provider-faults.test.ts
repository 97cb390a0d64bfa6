import { describe, expect, it, vi } from 'vitest';
import { throughCircuit } from '#lib/platform/circuit-breaker.ts';
import { minuteMs, setClock } from '#lib/platform/clock.ts';
import type { FaultRequest } from '#packages/sandbox/src/frame/faults.ts';
import { logIn, signUp } from '#schemas/auth.ts';
import { password, type SignUpBody, signUpBody } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { runDueWork } from '#tests/support/due-work.ts';
import { sandbox } from '#tests/support/mails.ts';
import { customersOf } from '#tests/support/provider.ts';
import { lastingItems, storedItems } from '#tests/support/table.ts';
import { measureWaits } from '#tests/support/waiting.ts';

/** Two tries of four seconds. On a busy machine, other timers of the process add to this. */
const maxAnswerMs = 12_000;

type Fault = Omit<FaultRequest, 'service'>;

/** For tests that do not depend on the length of our own timeout. */
const shortTimeoutMs = '1000';

/** Faults after which a customer may exist. Only the stored attempt can find it. */
const doubtful: ReadonlyArray<{ does: string; fault: Fault; timeoutMs?: string }> = [
  { does: 'is down', fault: { mode: 'down' } },
  { does: 'breaks connections', fault: { mode: 'refuse' } },
  { does: 'hangs', fault: { mode: 'hang' } },
  {
    does: 'hangs after creating the customer',
    fault: { mode: 'hang-after' },
    timeoutMs: shortTimeoutMs,
  },
  { does: 'fails', fault: { mode: 'error', status: 500 } },
  {
    does: 'returns something other than JSON',
    fault: { mode: 'error', status: 200, body: '<html>' },
  },
];
/** Faults after which no customer exists. */
const refusing: ReadonlyArray<readonly [string, Fault]> = [
  ['limits our request rate', { mode: 'error', status: 429 }],
  ['rejects our key', { mode: 'error', status: 401 }],
];

async function expectFailure(body: SignUpBody): Promise<void> {
  const { result: failed, waitedMs } = await measureWaits(() => call(signUp, { body }));
  expect(waitedMs).toBeLessThan(maxAnswerMs);
  expect(failed.status).toBe(502);
  expect(failed.body.message).toBe('Payment service temporarily unavailable');
  expect(failed.cookies).toEqual([]);
}

async function expectSuccess(body: SignUpBody): Promise<void> {
  expect((await call(signUp, { body })).status).toBe(201);
  setClock(() => Date.now() + 11 * minuteMs);
  await runDueWork();
  expect(await customersOf(body.email)).toHaveLength(1);
  expect(await storedItems('SIGNUP#')).toEqual([]);
  expect((await call(logIn, { body: { email: body.email, password } })).status).toBe(200);
}

async function openCircuit(): Promise<void> {
  for (let outages = 0; outages < 5; outages += 1) {
    const outage = throughCircuit('payment', () => Promise.reject(new Error('It does not work')), {
      inFailure: () => true,
    });
    await expect(outage).rejects.toThrow('It does not work');
  }
}

describe.each(doubtful)('sign-up while the provider $does', ({ fault, timeoutMs }) => {
  it('returns 502 after two tries, keeps the attempt, and succeeds on retry', async () => {
    vi.stubEnv('PAYMENT_TIMEOUT_MS', timeoutMs);
    const body = signUpBody();
    const before = await lastingItems();
    await sandbox.addFault({ service: 'stripe', ...fault });

    await expectFailure(body);

    const attempts = await storedItems('SIGNUP#');
    expect(attempts).toEqual([
      expect.objectContaining({ payload: expect.stringContaining(body.email) }),
    ]);
    const kept = new Set(attempts.map(({ pk }) => pk));
    expect((await lastingItems()).filter(({ pk }) => !kept.has(pk))).toEqual(before);
    await sandbox.clearFaults();
    await expectSuccess(body);
  });
});

describe.each(refusing)('sign-up while the provider %s', (_, fault) => {
  it('returns 502, leaves nothing behind, and succeeds on retry', async () => {
    const body = signUpBody();
    const before = await lastingItems();
    await sandbox.addFault({ service: 'stripe', ...fault });

    await expectFailure(body);

    expect(await lastingItems()).toEqual(before);
    await sandbox.clearFaults();
    await expectSuccess(body);
  });
});

describe('sign-up when the provider is not called', () => {
  it('leaves nothing behind when no connection can be made', async () => {
    const before = await lastingItems();
    vi.stubEnv('STRIPE_API_BASE', 'http://127.0.0.1:1');
    // A different value forces a new client.
    vi.stubEnv('PAYMENT_TIMEOUT_MS', '3999');

    await expectFailure(signUpBody());

    expect(await lastingItems()).toEqual(before);
  });

  it('leaves nothing behind when the circuit breaker is open', async () => {
    const before = await lastingItems();
    await openCircuit();

    await expectFailure(signUpBody());

    expect(await lastingItems()).toEqual(before);
  });
});

describe('sign-up while the provider is slow', () => {
  it('waits for the provider and creates the account', async () => {
    const body = signUpBody();
    await sandbox.addFault({ service: 'stripe', mode: 'slow', delayMs: 500 });

    expect((await call(signUp, { body })).status).toBe(201);
    expect(await customersOf(body.email)).toHaveLength(1);
  });
});

describe('sign-up when the provider loses one response', () => {
  it('retries with the same key and creates one account with one customer', async () => {
    vi.stubEnv('PAYMENT_TIMEOUT_MS', shortTimeoutMs);
    const body = signUpBody();
    await sandbox.addFault({ service: 'stripe', mode: 'hang-after', times: 1 });

    expect((await call(signUp, { body })).status).toBe(201);
    expect(await customersOf(body.email)).toHaveLength(1);
  });
});

describe('the sweep of unfinished signups', () => {
  it('deletes the customer once its signup can no longer be running and the provider is up', async () => {
    vi.stubEnv('PAYMENT_TIMEOUT_MS', shortTimeoutMs);
    const body = signUpBody();
    await sandbox.addFault({ service: 'stripe', method: 'POST', mode: 'hang-after', times: 1 });
    await sandbox.addFault({ service: 'stripe', mode: 'error', status: 401 });
    expect((await call(signUp, { body })).status).toBe(502);
    await sandbox.clearFaults();

    setClock(() => Date.now() + 9 * minuteMs);
    await runDueWork();
    expect(await customersOf(body.email)).toHaveLength(1);

    await sandbox.addFault({ service: 'stripe', method: 'DELETE', mode: 'down' });
    setClock(() => Date.now() + 11 * minuteMs);
    await runDueWork();
    await sandbox.clearFaults();
    expect(await customersOf(body.email)).toHaveLength(1);

    setClock(() => Date.now() + 17 * minuteMs);
    await runDueWork();
    expect(await customersOf(body.email)).toEqual([]);
  });
});
