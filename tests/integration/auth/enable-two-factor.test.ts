import { beforeEach, describe, expect, it } from 'vitest';
import { secondMs } from '#lib/platform/clock.ts';
import {
  enableTwoFactor,
  getMe,
  logIn,
  logInWithTwoFactor,
  setUpTwoFactor,
} from '#schemas/auth.ts';
import { codeOf, plantSetup, plantTwoFactor, wrongCodeOf } from '#scripts/fixtures/two-factor.ts';
import { type Account, newAccount, password } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { mailsTo } from '#tests/support/mails.ts';
import { storedItems } from '#tests/support/table.ts';
import { passTime, stopClock } from '#tests/support/time.ts';

beforeEach(stopClock);
const enable = ({ token }: Account, code: string, headers = {}) =>
  call(enableTwoFactor, { token, body: { code }, headers });

async function challengeOf({ email }: Account): Promise<string> {
  const { body } = await call(logIn, { body: { email, password } });

  return body.challengeToken;
}

describe('turning two-factor authentication on', () => {
  it('returns ten recovery codes, and sign-ins require a code from then on', async () => {
    const account = await newAccount();
    const { body: setup } = await call(setUpTwoFactor, { token: account.token, body: {} });
    const { status, body } = await enable(account, codeOf(setup.secret));

    expect(status).toBe(200);
    expect(new Set(body.recoveryCodes).size).toBe(10);
    for (const code of body.recoveryCodes) {
      expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){5}[0-9A-HJKMNP-TV-Z]{4}$/);
    }
    const me = await call(getMe, { token: account.token });
    expect(me.body.user.twoFactorEnabled).toBe(true);
    const login = await call(logIn, { body: { email: account.email, password } });
    expect(login.body.code).toBe('TWO_FACTOR_REQUIRED');
  });

  it('stores only hashes of the recovery codes', async () => {
    const account = await newAccount();
    const { body } = await enable(account, codeOf(await plantSetup(account.userId)));
    const stored = JSON.stringify(await storedItems(`USER#${account.userId}`));

    for (const code of body.recoveryCodes) {
      expect(stored).not.toContain(code);
      expect(stored).not.toContain(code.replaceAll('-', ''));
    }
  });

  it('uses up the code, and all codes before it', async () => {
    const account = await newAccount();
    const secret = await plantSetup(account.userId);
    const code = codeOf(secret);
    const before = codeOf(secret, -1);
    await enable(account, code);
    const challengeToken = await challengeOf(account);
    const attempt = (given: string) =>
      call(logInWithTwoFactor, { body: { challengeToken, code: given } });

    expect((await attempt(code)).status).toBe(401);
    expect((await attempt(before)).status).toBe(401);
    expect((await attempt(codeOf(secret, 1))).status).toBe(200);
  });

  it('emails the user, as text and HTML', async () => {
    const account = await newAccount();
    await enable(account, codeOf(await plantSetup(account.userId)));
    const [mail] = await mailsTo(account.email);

    expect(mail?.subject).toBe('Two-factor authentication is on');
    expect(mail?.text).toContain('From now on, you need a code from your authenticator app');
    expect(mail?.html).toContain('From now on, you need a code from your authenticator app');
  });

  it.each([-1, 0, 1])('accepts a code that is off by %i steps', async (steps) => {
    const account = await newAccount();
    const secret = await plantSetup(account.userId);

    expect((await enable(account, codeOf(secret, steps))).status).toBe(200);
  });

  it.each([-2, 2])('rejects a code that is off by %i steps', async (steps) => {
    const account = await newAccount();
    const secret = await plantSetup(account.userId);
    passTime(15 * secondMs);
    const { status, body } = await enable(account, codeOf(secret, steps));

    expect([status, body.message]).toEqual([400, ['code is invalid']]);
  });

  it('returns 400 for the code field if the code is wrong', async () => {
    const account = await newAccount();
    const secret = await plantSetup(account.userId);
    for (const code of [
      wrongCodeOf(secret),
      'abcdef',
      '12345',
      '1234567',
      '１２３４５６',
      '🍕🍕🍕',
    ]) {
      const { status, body } = await enable(account, code);
      expect([status, body.message], code).toEqual([400, ['code is invalid']]);
    }
  });

  it('returns 409 without a setup, and if it is already on', async () => {
    const account = await newAccount();
    expect((await enable(account, '123456')).status).toBe(409);

    const { secret } = await plantTwoFactor(account.userId);
    const { status, body } = await enable(account, codeOf(secret));
    expect([status, body.message]).toEqual([409, 'Two-factor authentication is already on']);
  });

  it('succeeds for only one of several concurrent requests', async () => {
    const account = await newAccount();
    const code = codeOf(await plantSetup(account.userId));
    const answers = await Promise.all([1, 2, 3, 4].map(() => enable(account, code)));

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    const stored = await storedItems(`USER#${account.userId}`);
    expect(stored.filter(({ sk }) => sk.startsWith('RECOVERY_CODE#'))).toHaveLength(10);
  });

  it('returns the same recovery codes to a repeated request', async () => {
    const account = await newAccount();
    const code = codeOf(await plantSetup(account.userId));
    const headers = { 'idempotency-key': 'enable' };
    const first = await enable(account, code, headers);
    const second = await enable(account, code, headers);

    expect(second.body.recoveryCodes).toEqual(first.body.recoveryCodes);
  });
});
