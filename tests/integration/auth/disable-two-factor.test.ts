import { beforeEach, describe, expect, it } from 'vitest';
import { disableTwoFactor, getMe, logIn, logInWithTwoFactor } from '#schemas/auth.ts';
import { codeOf, plantTwoFactor, wrongCodeOf } from '#scripts/fixtures/two-factor.ts';
import { type Account, newAccount, password } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { mailsTo } from '#tests/support/mails.ts';
import { storedItems } from '#tests/support/table.ts';
import { stopClock } from '#tests/support/time.ts';

beforeEach(stopClock);
const disable = ({ token }: Account, code: string, given = password) =>
  call(disableTwoFactor, { token, body: { password: given, code } });

async function newProtected() {
  const account = await newAccount();

  return { account, ...(await plantTwoFactor(account.userId)) };
}

const secretsOf = async ({ userId }: Account) =>
  (await storedItems(`USER#${userId}`)).filter(({ sk }) => /^(TWO_FACTOR|RECOVERY)/.test(sk));

describe('turning two-factor authentication off', () => {
  it('removes the secret and all recovery codes, and emails the user', async () => {
    const { account, secret } = await newProtected();

    expect((await disable(account, codeOf(secret))).status).toBe(200);
    expect(await secretsOf(account)).toEqual([]);
    const me = await call(getMe, { token: account.token });
    expect(me.body.user.twoFactorEnabled).toBe(false);
    const body = { email: account.email, password };
    expect((await call(logIn, { body })).status).toBe(200);
    const [mail] = await mailsTo(account.email);
    expect(mail?.subject).toBe('Two-factor authentication is off');
    expect(mail?.html).toContain('Your password alone is enough to sign in.');
  });

  it('accepts a recovery code', async () => {
    const { account, recoveryCodes } = await newProtected();

    expect((await disable(account, recoveryCodes[3] ?? '')).status).toBe(200);
    expect(await secretsOf(account)).toEqual([]);
  });

  it('returns 401 for a wrong password and 400 for a wrong code', async () => {
    const { account, secret, recoveryCodes } = await newProtected();
    const wrongPassword = await disable(account, codeOf(secret), 'wrong horse battery');
    const wrongCode = await disable(account, wrongCodeOf(secret));
    const unknownRecoveryCode = await disable(account, `${recoveryCodes[0]}0`);

    expect([wrongPassword.status, wrongPassword.body.message]).toEqual([
      401,
      'Current password is incorrect',
    ]);
    for (const { status, body } of [wrongCode, unknownRecoveryCode]) {
      expect([status, body.message]).toEqual([400, ['code is invalid']]);
    }
    expect(await secretsOf(account)).toHaveLength(11);
  });

  it('returns 429 after five wrong tries', async () => {
    const { account, secret } = await newProtected();
    const wrong = await Promise.all(
      Array.from({ length: 8 }, () => disable(account, wrongCodeOf(secret))),
    );

    expect(wrong.filter(({ status }) => status === 400)).toHaveLength(5);
    expect((await disable(account, codeOf(secret))).status).toBe(429);
  });

  it('returns 409 if it is off', async () => {
    const { status, body } = await disable(await newAccount(), '123456');

    expect([status, body.message]).toEqual([409, 'Two-factor authentication is off']);
  });

  it('does not accept a code that was used to sign in', async () => {
    const { account, secret } = await newProtected();
    const code = codeOf(secret);
    const { email } = account;
    const { challengeToken } = (await call(logIn, { body: { email, password } })).body;
    await call(logInWithTwoFactor, { body: { challengeToken, code } });

    expect((await disable(account, code)).status).toBe(400);
  });

  it('succeeds for only one of two concurrent requests with the same code', async () => {
    const { account, secret } = await newProtected();
    const code = codeOf(secret);
    const answers = await Promise.all([disable(account, code), disable(account, code)]);
    const statuses = answers.map(({ status }) => status).sort();

    expect(statuses[0]).toBe(200);
    expect([400, 409]).toContain(statuses[1]);
  });
});
