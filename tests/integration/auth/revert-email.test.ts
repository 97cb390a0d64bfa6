import { afterEach, describe, expect, it } from 'vitest';
import { dayMs, setClock } from '#lib/platform/clock.ts';
import {
  changePassword,
  forgotPassword,
  getMe,
  logIn,
  requestEmailVerification,
  resetPassword,
  revertEmail,
  updateMe,
  verifyEmail,
} from '#schemas/auth.ts';
import { type Account, freshEmail, newAccount, password } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { mailsTo, tokenIn } from '#tests/support/mails.ts';

const newPassword = 'a new battery staple';
const refused = { status: 400, body: { message: ['token is invalid or expired'] } };

afterEach(() => setClock());

/** Changes the address, as a thief with a stolen session does, and returns the old one's token. */
async function moveTo({ token }: Pick<Account, 'token'>, email: string): Promise<string> {
  const from = (await call(getMe, { token })).body.user.email;
  await call(updateMe, { token, body: { email } });
  const mails = await mailsTo(from);

  return tokenIn(mails.find(({ text }) => text?.includes('/email/revert?token=')));
}

const revert = (token: string) => call(revertEmail, { body: { token } });
const signIn = (email: string, given = password) =>
  call(logIn, { body: { email, password: given } });

async function resetBy(email: string, to = newPassword) {
  await call(forgotPassword, { body: { email } });
  // Other mails may arrive in the same millisecond.
  const mail = (await mailsTo(email)).find(({ text }) => text?.includes('/password/reset?token='));

  return call(resetPassword, { body: { token: tokenIn(mail), newPassword: to } });
}

describe('reverting a change of address', () => {
  it('restores the address, ends all sessions, and accepts no password until a reset', async () => {
    const ada = await newAccount();
    const thief = freshEmail('thief');
    const token = await moveTo(ada, thief);
    await resetBy(thief, 'the password of a thief');
    const { authToken } = (await signIn(thief, 'the password of a thief')).body;
    const answer = await revert(token);

    expect([answer.status, answer.body.message]).toEqual([
      200,
      'Email address restored successfully',
    ]);
    expect((await call(getMe, { token: authToken })).status).toBe(401);
    expect((await call(getMe, { token: ada.token })).status).toBe(401);
    expect((await signIn(ada.email)).status).toBe(401);
    expect((await signIn(ada.email, 'the password of a thief')).status).toBe(401);
    expect((await signIn(thief, 'the password of a thief')).status).toBe(401);
    expect((await resetBy(ada.email)).status).toBe(200);
    const back = await signIn(ada.email, newPassword);
    expect(back.status).toBe(200);
    const { user } = (await call(getMe, { token: back.body.authToken })).body;
    expect(user).toMatchObject({ id: ada.userId, email: ada.email, emailVerified: true });
  });

  it('voids tokens that were mailed to any address of the user', async () => {
    const ada = await newAccount();
    const thief = freshEmail('thief');
    await call(requestEmailVerification, { token: ada.token });
    await call(forgotPassword, { body: { email: ada.email } });
    const [first, second] = await mailsTo(ada.email);
    const token = await moveTo(ada, thief);
    await call(forgotPassword, { body: { email: thief } });
    const stolen = (await mailsTo(thief)).map(tokenIn);
    expect((await revert(token)).status).toBe(200);

    for (const old of [tokenIn(first), tokenIn(second), ...stolen]) {
      expect(await call(verifyEmail, { body: { token: old } })).toMatchObject(refused);
      const body = { token: old, newPassword: 'the password of a thief' };
      expect(await call(resetPassword, { body })).toMatchObject(refused);
    }
    expect((await resetBy(ada.email)).status).toBe(200);
  });

  it('frees the address that was in use', async () => {
    const ada = await newAccount();
    const other = freshEmail('other');
    await revert(await moveTo(ada, other));
    const grace = await newAccount();

    const { status } = await call(updateMe, { token: grace.token, body: { email: other } });
    expect(status).toBe(200);
  });

  it('works with the oldest link after a later address was restored, and not the other way', async () => {
    const ada = await newAccount();
    const [b, c, d] = [freshEmail('b'), freshEmail('c'), freshEmail('d')];
    const linkOfA = await moveTo(ada, b);
    const linkOfB = await moveTo(ada, c);
    const linkOfC = await moveTo(ada, d);
    expect((await revert(linkOfB)).status).toBe(200);
    expect(await revert(linkOfC)).toMatchObject(refused);
    await resetBy(b);
    const { authToken } = (await signIn(b, newPassword)).body;
    const linkOfBAgain = await moveTo({ token: authToken }, freshEmail('e'));
    expect((await revert(linkOfA)).status).toBe(200);

    for (const link of [linkOfA, linkOfB, linkOfC, linkOfBAgain]) {
      expect(await revert(link)).toMatchObject(refused);
    }
    await resetBy(ada.email);
    const me = await call(getMe, {
      token: (await signIn(ada.email, newPassword)).body.authToken,
    });
    expect(me.body.user.email).toBe(ada.email);
  });

  it('works after the user took the address back', async () => {
    const ada = await newAccount();
    const link = await moveTo(ada, freshEmail('new'));
    await call(updateMe, { token: ada.token, body: { email: ada.email } });

    expect((await revert(link)).status).toBe(200);
    expect((await call(getMe, { token: ada.token })).status).toBe(401);
    expect((await resetBy(ada.email)).status).toBe(200);
  });

  it('wins against a change of the password at the same time', async () => {
    const ada = await newAccount();
    const link = await moveTo(ada, freshEmail('thief'));
    const [answer] = await Promise.all([
      revert(link),
      call(changePassword, {
        token: ada.token,
        body: { currentPassword: password, newPassword: 'the password of a thief' },
      }),
    ]);

    expect(answer.status).toBe(200);
    expect((await signIn(ada.email, 'the password of a thief')).status).toBe(401);
    expect((await signIn(ada.email)).status).toBe(401);
  });

  it('wins against another change of the address at the same time', async () => {
    const ada = await newAccount();
    const link = await moveTo(ada, freshEmail('thief'));
    const [answer] = await Promise.all([
      revert(link),
      call(updateMe, { token: ada.token, body: { email: freshEmail('thief') } }),
    ]);

    expect(answer.status).toBe(200);
    expect((await resetBy(ada.email)).status).toBe(200);
    expect((await signIn(ada.email, newPassword)).status).toBe(200);
  });
});

describe('the token', () => {
  it('works once, even for concurrent requests', async () => {
    const link = await moveTo(await newAccount(), freshEmail('new'));
    const answers = await Promise.all(Array.from({ length: 5 }, () => revert(link)));

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400]);
  });

  it('is rejected if it is unknown or of another kind', async () => {
    const { email } = await newAccount();
    await call(forgotPassword, { body: { email } });
    const [mail] = await mailsTo(email);

    expect(await revert('no-such-token')).toMatchObject(refused);
    expect(await revert(tokenIn(mail))).toMatchObject(refused);
  });

  it('is valid for seven days', async () => {
    const [ada, grace] = [await newAccount(), await newAccount()];
    const links = [await moveTo(ada, freshEmail('a')), await moveTo(grace, freshEmail('b'))];
    const now = Date.now();
    setClock(() => now + 7 * dayMs - 60_000);
    expect((await revert(links[0] ?? '')).status).toBe(200);
    setClock(() => now + 7 * dayMs + 60_000);

    expect(await revert(links[1] ?? '')).toMatchObject(refused);
  });
});
