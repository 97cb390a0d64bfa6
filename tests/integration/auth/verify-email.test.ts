import { describe, expect, it } from 'vitest';
import { dayMs, setClock } from '#lib/platform/clock.ts';
import {
  forgotPassword,
  getMe,
  requestEmailVerification,
  updateMe,
  verifyEmail,
} from '#schemas/auth.ts';
import { freshEmail, newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { mailsTo, tokenIn } from '#tests/support/mails.ts';

async function accountWithToken() {
  const account = await newAccount();
  await call(requestEmailVerification, { token: account.token });
  const [mail] = await mailsTo(account.email);

  return { ...account, verification: tokenIn(mail) };
}

const verify = (token: string) => call(verifyEmail, { body: { token } });

describe('verifying an email address', () => {
  it('verifies the address without a session', async () => {
    const { token, verification } = await accountWithToken();

    expect((await verify(verification)).status).toBe(200);
    expect((await call(getMe, { token })).body.user.emailVerified).toBe(true);
  });
});

describe('invalid tokens', () => {
  const refusal = { status: 400, body: { message: ['token is invalid or expired'] } };

  it('accepts a token only once, even for ten concurrent requests', async () => {
    const { verification } = await accountWithToken();
    const answers = await Promise.all(Array.from({ length: 10 }, () => verify(verification)));

    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(9);
    expect(await verify(verification)).toMatchObject(refusal);
  });

  it('rejects a token after a day', async () => {
    const { verification } = await accountWithToken();
    const start = Date.now();
    setClock(() => start + dayMs + 1000);

    expect(await verify(verification)).toMatchObject(refusal);
  });

  it("rejects a token for the user's former address", async () => {
    const { token, email, verification } = await accountWithToken();
    await call(requestEmailVerification, { token });
    const [mail] = (await mailsTo(email)).filter((one) => tokenIn(one) !== verification);
    expect((await verify(tokenIn(mail))).status).toBe(200);
    const next = freshEmail('next');
    await call(updateMe, { token, body: { email: next } });

    expect(await verify(verification)).toMatchObject(refusal);
    expect((await call(getMe, { token })).body.user).toMatchObject({
      email: next,
      emailVerified: false,
    });
  });

  it('rejects a password reset token and an invented token', async () => {
    const { email } = await newAccount();
    await call(forgotPassword, { body: { email } });
    const [mail] = await mailsTo(email);

    expect(await verify(tokenIn(mail))).toMatchObject(refusal);
    expect(await verify('made-up')).toMatchObject(refusal);
  });
});
