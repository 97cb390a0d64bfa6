import { afterEach, describe, expect, it } from 'vitest';
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

afterEach(() => setClock());

const newPassword = 'a new battery staple';

async function accountWithToken() {
  const account = await newAccount();
  await call(forgotPassword, { body: { email: account.email } });
  const [mail] = await mailsTo(account.email);

  return { ...account, reset: tokenIn(mail) };
}

/** Of two mails that were asked for one after the other. */
async function accountWithTwoTokens() {
  const account = await accountWithToken();
  await call(forgotPassword, { body: { email: account.email } });
  const tokens = (await mailsTo(account.email)).map(tokenIn);

  return { ...account, tokens: [tokens[0] ?? '', tokens[1] ?? ''] as const };
}

const reset = (token: string, to = newPassword) =>
  call(resetPassword, { body: { token, newPassword: to } });

describe('success', () => {
  it('signs in with the new password from then on, and not with the old one', async () => {
    const { email, reset: token } = await accountWithToken();

    expect((await reset(token)).status).toBe(200);
    expect((await call(logIn, { body: { email, password } })).status).toBe(401);
    const signedIn = await call(logIn, { body: { email, password: newPassword } });
    expect(signedIn.status).toBe(200);
    const me = await call(getMe, { token: signedIn.body.authToken });
    expect(me.body.user.emailVerified).toBe(true);
  });

  it("ends all of the user's sessions, more of them than one transaction holds too", async () => {
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

describe('failure', () => {
  const refusal = { status: 400, body: { message: ['token is invalid or expired'] } };

  it('takes a token once, also of ten uses at once', async () => {
    const { email, reset: token } = await accountWithToken();
    const passwords = Array.from({ length: 10 }, (_, index) => `password number ${index}`);
    const answers = await Promise.all(passwords.map((one) => reset(token, one)));

    const winners = passwords.filter((_, index) => answers[index]?.status === 200);
    expect(winners).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(9);
    const signedIn = await call(logIn, { body: { email, password: winners[0] } });
    expect(signedIn.status).toBe(200);
  });

  it('refuses a token after an hour, though its record is still stored', async () => {
    const { reset: token } = await accountWithToken();
    const start = Date.now();
    setClock(() => start + hourMs - 5_000);
    expect((await reset(token, 'short')).status).toBe(400);
    setClock(() => start + hourMs + 5_000);

    expect(await reset(token)).toMatchObject(refusal);
    expect(await storedItems('USER_TOKEN#')).not.toEqual([]);
  });

  it('refuses a token for an address that the user has given up', async () => {
    const { token, reset: resetToken } = await accountWithToken();
    await call(updateMe, { token, body: { email: freshEmail('next') } });

    expect(await reset(resetToken)).toMatchObject(refusal);
  });

  it('refuses every token that was sent before the password was reset or changed', async () => {
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

  it('takes one of two tokens of one user at once', async () => {
    const { tokens } = await accountWithTwoTokens();
    const answers = await Promise.all(tokens.map((token) => reset(token)));

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
  });

  it('takes a token that was sent after the last reset', async () => {
    const { email, reset: first } = await accountWithToken();
    expect((await reset(first)).status).toBe(200);
    await call(forgotPassword, { body: { email } });
    const tokens = (await mailsTo(email)).map(tokenIn).filter((token) => token !== first);

    expect((await reset(tokens[0] ?? '', 'yet another one')).status).toBe(200);
  });

  it('refuses the token of an address verification, and a made-up one', async () => {
    const { token, email } = await newAccount();
    await call(requestEmailVerification, { token });
    const [mail] = await mailsTo(email);

    expect(await reset(tokenIn(mail))).toMatchObject(refusal);
    expect(await reset('made-up')).toMatchObject(refusal);
  });

  it('keeps the token good where the new password is refused', async () => {
    const { reset: token } = await accountWithToken();
    for (const refused of ['short', 'x'.repeat(73), '€'.repeat(25)]) {
      const answer = await reset(token, refused);
      expect(answer.status).toBe(400);
      expect(answer.body.message[0]).toMatch(/^newPassword /);
    }

    expect((await reset(token)).status).toBe(200);
  });
});
