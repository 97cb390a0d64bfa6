import { describe, expect, it } from 'vitest';
import { hourMs, setClock } from '#lib/platform/clock.ts';
import {
  changePassword,
  forgotPassword,
  getMe,
  logIn,
  requestEmailVerification,
  resetPassword,
  updateMe,
} from '#schemas/auth.ts';
import { freshEmail, newAccount, password } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { mailsTo, tokenIn } from '#tests/support/mails.ts';
import { storedItems, storeItem } from '#tests/support/table.ts';

const newPassword = 'a new battery staple';

async function accountWithToken() {
  const account = await newAccount();
  await call(forgotPassword, { body: { email: account.email } });
  const [mail] = await mailsTo(account.email);

  return { ...account, reset: tokenIn(mail) };
}

/** Creates an account with two tokens from consecutive reset mails. */
async function accountWithTwoTokens() {
  const account = await accountWithToken();
  await call(forgotPassword, { body: { email: account.email } });
  const tokens = (await mailsTo(account.email)).map(tokenIn);

  return { ...account, tokens: [tokens[0] ?? '', tokens[1] ?? ''] as const };
}

const reset = (token: string, to = newPassword) =>
  call(resetPassword, { body: { token, newPassword: to } });

describe('resetting the password', () => {
  it('makes the new password work and the old one fail', async () => {
    const { email, reset: token } = await accountWithToken();

    expect((await reset(token)).status).toBe(200);
    expect((await call(logIn, { body: { email, password } })).status).toBe(401);
    const signedIn = await call(logIn, { body: { email, password: newPassword } });
    expect(signedIn.status).toBe(200);
    const me = await call(getMe, { token: signedIn.body.authToken });
    expect(me.body.user.emailVerified).toBe(true);
  });

  it("ends all of the user's sessions, even more than fit into one transaction", async () => {
    const { token, userId, reset: resetToken } = await accountWithToken();
    const items = await storedItems(`USER#${userId}`);
    const session = items.find(({ sk }) => sk.startsWith('SESSION#'));
    for (let more = 1; more <= 120; more += 1) {
      await storeItem({ ...session, pk: `USER#${userId}`, sk: `SESSION#more-${more}` });
    }
    expect((await reset(resetToken)).status).toBe(200);

    const left = await storedItems(`USER#${userId}`);
    expect(left.filter(({ sk }) => sk.startsWith('SESSION#'))).toEqual([]);
    expect((await call(getMe, { token })).status).toBe(401);
  });
});

/** Fails more sign-ins than are allowed. */
async function lock(email: string, cookies: readonly string[] = []): Promise<void> {
  for (let failures = 1; failures <= 6; failures += 1) {
    await call(logIn, { body: { email, password: 'a guess' }, cookies: [...cookies] });
  }
}

describe('failed sign-ins before a reset', () => {
  it('are reset, so that the new password works immediately', async () => {
    const { email, reset: token } = await accountWithToken();
    await lock(email);
    expect((await call(logIn, { body: { email, password } })).status).toBe(429);
    expect((await reset(token)).status).toBe(200);

    expect((await call(logIn, { body: { email, password: newPassword } })).status).toBe(200);
  });

  it('are reset for the browser that resets the password', async () => {
    const { email, reset: token } = await accountWithToken();
    const { cookies } = await call(logIn, { body: { email, password } });
    const device = [String(cookies[1]).split(';')[0] ?? ''];
    await lock(email, device);
    const signIn = () => call(logIn, { body: { email, password: newPassword }, cookies: device });
    expect((await signIn()).status).toBe(429);
    await call(resetPassword, { body: { token, newPassword }, cookies: device });

    expect((await signIn()).status).toBe(200);
  });

  it('are kept after a reset with an unknown token', async () => {
    const { email } = await accountWithToken();
    await lock(email);
    expect((await reset('no-such-token')).status).toBe(400);

    expect((await call(logIn, { body: { email, password } })).status).toBe(429);
  });
});

describe('invalid resets', () => {
  it('rejects a common or personal password and leaves the token valid', async () => {
    const { reset: token } = await accountWithToken();
    for (const weak of ['Password1', '        ', 'Ada Lovelace']) {
      const answer = await reset(token, weak);
      expect([answer.status, answer.body.message]).toEqual([400, ['newPassword is too common']]);
    }
    expect((await reset(token)).status).toBe(200);
  });

  const refusal = { status: 400, body: { message: ['token is invalid or expired'] } };

  it('accepts a token only once, even for ten concurrent requests', async () => {
    const { email, reset: token } = await accountWithToken();
    const passwords = Array.from({ length: 10 }, (_, index) => `password number ${index}`);
    const answers = await Promise.all(passwords.map((one) => reset(token, one)));

    const winners = passwords.filter((_, index) => answers[index]?.status === 200);
    expect(winners).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(9);
    const signedIn = await call(logIn, { body: { email, password: winners[0] } });
    expect(signedIn.status).toBe(200);
  });

  it('rejects a token after an hour, even while its record is still stored', async () => {
    const { reset: token } = await accountWithToken();
    const start = Date.now();
    setClock(() => start + hourMs - 5_000);
    expect((await reset(token, 'short')).status).toBe(400);
    setClock(() => start + hourMs + 5_000);

    expect(await reset(token)).toMatchObject(refusal);
    expect(await storedItems('USER_TOKEN#')).not.toEqual([]);
  });

  it("rejects a token for the user's former address", async () => {
    const { token, reset: resetToken } = await accountWithToken();
    await call(updateMe, { token, body: { email: freshEmail('next') } });

    expect(await reset(resetToken)).toMatchObject(refusal);
  });

  it('rejects every token sent before the password was reset or changed', async () => {
    const changed = await accountWithTwoTokens();
    const body = { currentPassword: password, newPassword };
    expect((await call(changePassword, { token: changed.token, body })).status).toBe(200);
    for (const token of changed.tokens) {
      expect(await reset(token, 'of an old mail')).toMatchObject(refusal);
    }

    const forgetful = await accountWithTwoTokens();
    expect((await reset(forgetful.tokens[0])).status).toBe(200);
    expect(await reset(forgetful.tokens[1], 'of an old mail')).toMatchObject(refusal);
    const signedIn = await call(logIn, { body: { email: forgetful.email, password: newPassword } });
    expect(signedIn.status).toBe(200);
  });

  it('accepts only one of two concurrent tokens of a user', async () => {
    const { tokens } = await accountWithTwoTokens();
    const answers = await Promise.all(tokens.map((token) => reset(token)));

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
  });

  it('accepts a token sent after the last reset', async () => {
    const { email, reset: first } = await accountWithToken();
    expect((await reset(first)).status).toBe(200);
    // Later than the reset, even if both take less than a millisecond.
    setClock(() => Date.now() + 1_000);
    await call(forgotPassword, { body: { email } });
    const tokens = (await mailsTo(email)).map(tokenIn).filter((token) => token !== first);

    expect((await reset(tokens[0] ?? '', 'yet another one')).status).toBe(200);
  });

  it('rejects an email verification token and an invented token', async () => {
    const { token, email } = await newAccount();
    await call(requestEmailVerification, { token });
    const [mail] = await mailsTo(email);

    expect(await reset(tokenIn(mail))).toMatchObject(refusal);
    expect(await reset('made-up')).toMatchObject(refusal);
  });

  it('keeps the token valid when the new password is rejected', async () => {
    const { reset: token } = await accountWithToken();
    for (const refused of ['short', 'x'.repeat(73), '€'.repeat(25)]) {
      const answer = await reset(token, refused);
      expect(answer.status).toBe(400);
      expect(answer.body.message[0]).toMatch(/^newPassword /);
    }

    expect((await reset(token)).status).toBe(200);
  });
});
