import { afterEach, describe, expect, it } from 'vitest';
import { minuteMs, setClock } from '#lib/clock.ts';
import { logIn, signUp } from '#schemas/auth.ts';
import type { FaultRequest } from '#scripts/sandbox/frame/faults.ts';
import { password, signUpBody } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { runDueWork } from '#tests/support/due-work.ts';
import { sandbox } from '#tests/support/mails.ts';
import { customersOf } from '#tests/support/provider.ts';
import { lastingItems } from '#tests/support/table.ts';

const maxAnswerMs = 10_000;

afterEach(async () => {
  setClock();
  await sandbox.clearFaults();
});

const faults: ReadonlyArray<readonly [string, Omit<FaultRequest, 'service'>]> = [
  ['is down', { mode: 'down' }],
  ['refuses connections', { mode: 'refuse' }],
  ['hangs', { mode: 'hang' }],
  ['hangs after it has made the customer', { mode: 'hang-after' }],
  ['fails', { mode: 'error', status: 500 }],
  ['asks for fewer calls', { mode: 'error', status: 429 }],
  ['does not accept our key', { mode: 'error', status: 401 }],
  ['answers something else than JSON', { mode: 'error', status: 200, body: '<html>' }],
];

describe.each(faults)('while the provider %s', (_, fault) => {
  it('answers 502 within ten seconds, leaves no account, and the same signup works afterwards', async () => {
    const body = signUpBody();
    const before = (await lastingItems()).filter(({ pk }) => !pk.startsWith('SIGNUP#'));
    await sandbox.addFault({ service: 'stripe', ...fault });

    const startedAtMs = performance.now();
    const failed = await call(signUp, { body });
    expect(performance.now() - startedAtMs).toBeLessThan(maxAnswerMs);
    expect(failed.status).toBe(502);
    expect(failed.body.message).toBe('Payment service temporarily unavailable');
    expect(failed.cookies).toEqual([]);
    const after = (await lastingItems()).filter(({ pk }) => !pk.startsWith('SIGNUP#'));
    expect(after).toEqual(before);

    await sandbox.clearFaults();
    expect((await call(signUp, { body })).status).toBe(201);
    setClock(() => Date.now() + 11 * minuteMs);
    await runDueWork();
    expect(await customersOf(body.email)).toHaveLength(1);
    expect((await lastingItems()).filter(({ pk }) => pk.startsWith('SIGNUP#'))).toEqual([]);
    expect((await call(logIn, { body: { email: body.email, password } })).status).toBe(200);
  });
});

describe('while the provider is slow', () => {
  it('waits for it and makes the account', async () => {
    const body = signUpBody();
    await sandbox.addFault({ service: 'stripe', mode: 'slow', delayMs: 500 });

    expect((await call(signUp, { body })).status).toBe(201);
    expect(await customersOf(body.email)).toHaveLength(1);
  });
});

describe('while the provider loses one answer', () => {
  it('asks again under the same key and makes one account with one customer', async () => {
    const body = signUpBody();
    await sandbox.addFault({ service: 'stripe', mode: 'hang-after', times: 1 });

    expect((await call(signUp, { body })).status).toBe(201);
    expect(await customersOf(body.email)).toHaveLength(1);
  });
});

describe('the sweep of unfinished signups', () => {
  it('deletes a customer when its signup can no longer be running, and the provider is there', async () => {
    const body = signUpBody();
    await sandbox.addFault({ service: 'stripe', method: 'POST', mode: 'hang-after', times: 1 });
    await sandbox.addFault({ service: 'stripe', mode: 'down' });
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
