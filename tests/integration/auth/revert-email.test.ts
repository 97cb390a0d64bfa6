import { beforeAll, describe, expect, it } from 'vitest';
import { dayMs, minuteMs, setClock } from '#lib/platform/clock.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { get } from '#lib/platform/db/read.ts';
import { createApiKey } from '#schemas/api-keys.ts';
import {
  changePassword,
  enableTwoFactor,
  forgotPassword,
  getMe,
  logIn,
  logInWithTwoFactor,
  requestEmailVerification,
  resetPassword,
  revertEmail,
  setUpTwoFactor,
  updateMe,
  verifyEmail,
} from '#schemas/auth.ts';
import { listOrganizations } from '#schemas/organizations.ts';
import { verify } from '#scripts/fixtures/planted-account.ts';
import { codeOf, plantTwoFactor } from '#scripts/fixtures/two-factor.ts';
import {
  type Account,
  freshEmail,
  newAccount,
  newVerifiedAccount,
  password,
} from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { mailsTo, tokenIn } from '#tests/support/mails.ts';
import { overtake } from '#tests/support/overtake.ts';
import { liftRateLimits } from '#tests/support/registry/lift-rate-limits.ts';
import { storedItems } from '#tests/support/table.ts';

const newPassword = 'a new battery staple';
const refused = { status: 400, body: { message: ['token is invalid or expired'] } };

beforeAll(liftRateLimits);

/** Changes the address like a thief with a stolen session. */
async function change({ token }: Pick<Account, 'token'>, email: string, currentPassword?: string) {
  const { status } = await call(updateMe, { token, body: { email, currentPassword } });
  expect(status).toBe(200);
}

/** Returns the tokens from the revert links that an address received, newest first. */
async function linksOf(email: string): Promise<readonly string[]> {
  const mails = await mailsTo(email);

  return mails.filter(({ text }) => text?.includes('/email/revert?token=')).map(tokenIn);
}

/** Changes the address, and returns the token that the old one receives. */
async function moveTo({ token }: Pick<Account, 'token'>, email: string): Promise<string> {
  const from = (await call(getMe, { token })).body.user.email;
  await change({ token }, email);
  const [link = ''] = await linksOf(from);

  return link;
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
    const ada = await newVerifiedAccount();
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

  it.each(['session', 'API key'])('removes a concurrently created %s', async (kind) => {
    const { token: own, organizationId, ...ada } = await newVerifiedAccount();
    const thief = freshEmail('thief');
    const link = await moveTo({ token: own }, thief);
    const params = { organization_id: organizationId };
    const create = () =>
      kind === 'session'
        ? signIn(thief)
        : call(createApiKey, { params, token: own, body: { name: 'Sync', role: 'ADMIN' } });
    const { answer, other } = await overtake({ begin: () => revert(link) }, create);

    expect(answer.status).toBe(200);
    const token = other.body.authToken ?? other.body.key ?? 'none';
    expect((await call(listOrganizations, { token })).status).toBe(401);
    expect(await get(keys.user(ada.userId))).toMatchObject({ emailVerified: true });
  });

  it('removes the recovery codes of a second factor that is turned on again concurrently', async () => {
    const ada = await newVerifiedAccount();
    const link = await moveTo(ada, freshEmail('thief'));
    await plantTwoFactor(ada.userId);
    await overtake({ begin: () => revert(link) }, () => plantTwoFactor(ada.userId));

    const items = await storedItems(`USER#${ada.userId}`);
    expect(items.filter(({ sk }) => /^(TWO_FACTOR|RECOVERY)/.test(sk))).toEqual([]);
  });

  it('forgets browsers that were known before', async () => {
    const ada = await newVerifiedAccount();
    const thief = freshEmail('thief');
    const link = await moveTo(ada, thief);
    const { cookies } = await signIn(thief);
    const device = cookies.find((cookie) => cookie.startsWith('__Host-known_device=')) ?? '';
    setClock(() => Date.now() + minuteMs);
    await revert(link);

    const { headers } = await call(logIn, {
      body: { email: ada.email, password: 'a guess' },
      cookies: [device.split(';')[0] ?? ''],
    });
    expect(headers.ratelimit).toContain('"loginAddress"');
  });

  it('invalidates tokens that were mailed to any address of the user', async () => {
    const ada = await newAccount();
    const thief = freshEmail('thief');
    await call(requestEmailVerification, { token: ada.token });
    await call(forgotPassword, { body: { email: ada.email } });
    const [first, second] = await mailsTo(ada.email);
    await verify(ada.userId);
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
    const ada = await newVerifiedAccount();
    const other = freshEmail('other');
    await revert(await moveTo(ada, other));
    const grace = await newAccount();

    const { status } = await call(updateMe, { token: grace.token, body: { email: other } });
    expect(status).toBe(200);
  });

  it('works after the user restored the address', async () => {
    const ada = await newVerifiedAccount();
    const link = await moveTo(ada, freshEmail('new'));
    await call(updateMe, { token: ada.token, body: { email: ada.email } });

    expect((await revert(link)).status).toBe(200);
    expect((await call(getMe, { token: ada.token })).status).toBe(401);
    expect((await resetBy(ada.email)).status).toBe(200);
  });

  it('wins against a concurrent change of the password', async () => {
    const ada = await newVerifiedAccount();
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

  it('wins against another concurrent change of the address', async () => {
    const ada = await newVerifiedAccount();
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

describe('the address that can revert a change', () => {
  it('is nobody at an address that was never verified, such as a typo at signup', async () => {
    const ada = await newAccount();
    const right = freshEmail('right');
    await change(ada, right);
    const [mail, ...others] = await mailsTo(ada.email);

    expect(others).toEqual([]);
    expect(mail?.subject).toBe('Your email address was changed');
    expect(mail?.text).not.toMatch(/https?:|token/);
    expect(mail?.html).not.toContain('href');
    expect(mail?.text).not.toContain(right);
  });

  it.each([
    ['verified', 'verified'],
    ['verified', 'unverified'],
    ['unverified', 'verified'],
    ['unverified', 'unverified'],
  ])(
    'is not a thief who changes the %s address to a(n) %s one and back',
    async (owners, thiefs) => {
      const ada = owners === 'verified' ? await newVerifiedAccount() : await newAccount();
      const [thief, other] = [freshEmail('thief'), freshEmail('other')];
      await change(ada, thief);
      if (thiefs === 'verified') {
        await verify(ada.userId);
      }
      await change(ada, other);
      await change(ada, ada.email);

      for (const link of [...(await linksOf(thief)), ...(await linksOf(other))]) {
        expect(await revert(link)).toMatchObject(refused);
      }
      expect((await signIn(ada.email)).status).toBe(200);
    },
  );

  it('is the last address that was verified before a chain of changes, not a later one', async () => {
    const ada = await newVerifiedAccount();
    const [b, c, d] = [freshEmail('b'), freshEmail('c'), freshEmail('d')];
    const linkOfA = await moveTo(ada, b);
    await verify(ada.userId);
    await change(ada, c);
    await change(ada, d);

    expect([...(await linksOf(b)), ...(await linksOf(c))]).toEqual([]);
    expect((await revert(linkOfA)).status).toBe(200);
    expect(await revert(linkOfA)).toMatchObject(refused);
  });

  it('is the first verified address if the one before it was a typo', async () => {
    const ada = await newAccount();
    const right = freshEmail('right');
    await change(ada, right);
    await verify(ada.userId);
    const link = await moveTo(ada, freshEmail('thief'));

    expect((await revert(link)).status).toBe(200);
    expect((await resetBy(right)).status).toBe(200);
  });

  it('is the owner of the address each time after it was taken away', async () => {
    const ada = await newVerifiedAccount();
    const first = await moveTo(ada, freshEmail('thief'));
    await change(ada, ada.email);
    const second = await moveTo(ada, freshEmail('thief'));

    expect((await revert(first)).status).toBe(200);
    expect(await revert(second)).toMatchObject(refused);
    await resetBy(ada.email);
    expect((await signIn(ada.email, newPassword)).status).toBe(200);
  });

  it('is still the owner when a thief takes the address again after the links expired', async () => {
    const ada = await newVerifiedAccount();
    await moveTo(ada, freshEmail('thief'));
    await change(ada, ada.email);
    setClock(() => Date.now() + 7 * dayMs + minuteMs);
    const { body } = await signIn(ada.email);
    const link = await moveTo({ token: body.authToken }, freshEmail('thief'));

    expect((await revert(link)).status).toBe(200);
  });

  it('is a later verified address after the links of the former one have expired', async () => {
    const ada = await newVerifiedAccount();
    const b = freshEmail('b');
    const linkOfA = await moveTo(ada, b);
    await verify(ada.userId);
    setClock(() => Date.now() + 7 * dayMs + minuteMs);
    const { body } = await signIn(b);
    const linkOfB = await moveTo({ token: body.authToken }, freshEmail('c'));

    expect(await revert(linkOfA)).toMatchObject(refused);
    expect((await revert(linkOfB)).status).toBe(200);
  });

  it('is the owner after the password was changed', async () => {
    const ada = await newVerifiedAccount();
    const link = await moveTo(ada, freshEmail('thief'));
    await call(changePassword, {
      token: ada.token,
      body: { currentPassword: password, newPassword: 'the password of a thief' },
    });

    expect((await revert(link)).status).toBe(200);
  });

  it('is nobody in between after a change that the password confirmed', async () => {
    const ada = await newAccount();
    await change(ada, freshEmail('thief'));
    await verify(ada.userId);
    const link = await moveTo(ada, freshEmail('thief'));
    expect(link).not.toBe('');
    await change(ada, freshEmail('new'), password);

    expect(await revert(link)).toMatchObject(refused);
  });

  it('is the former address after a change that the password confirmed', async () => {
    const ada = await newVerifiedAccount();
    await change(ada, freshEmail('b'), password);
    const [link = ''] = await linksOf(ada.email);
    await change(ada, freshEmail('c'), password);

    expect((await revert(link)).status).toBe(200);
  });
});

describe('an API key', () => {
  it('is removed if it was created since, and kept if it is older', async () => {
    const ada = await newVerifiedAccount();
    const params = { organization_id: ada.organizationId };
    const newKey = async () => {
      const body = { name: 'Sync', role: 'ADMIN' };

      return (await call(createApiKey, { params, token: ada.token, body })).body.key;
    };
    const own = await newKey();
    setClock(() => Date.now() + minuteMs);
    const link = await moveTo(ada, freshEmail('thief'));
    setClock(() => Date.now() + 2 * minuteMs);
    const thiefs = await newKey();
    await revert(link);

    expect((await call(listOrganizations, { token: own })).status).toBe(200);
    expect((await call(listOrganizations, { token: thiefs })).status).toBe(401);
  });
});

describe('a second factor', () => {
  const withCode = async (email: string, secret: string) => {
    const { body } = await signIn(email, newPassword);

    return call(logInWithTwoFactor, {
      body: { challengeToken: body.challengeToken, code: codeOf(secret) },
    });
  };

  /** Turns it on through the API, with a code that is then used up. */
  const turnOn = async ({ token }: Pick<Account, 'token'>) => {
    const { secret } = (await call(setUpTwoFactor, { token, body: {} })).body;
    await call(enableTwoFactor, { token, body: { code: codeOf(secret, -1) } });

    return { secret };
  };

  it('is kept if it is older than the change', async () => {
    const ada = await newVerifiedAccount();
    const { secret } = await plantTwoFactor(ada.userId);
    setClock(() => Date.now() + minuteMs);
    await revert(await moveTo(ada, freshEmail('thief')));
    await resetBy(ada.email);

    expect((await withCode(ada.email, secret)).status).toBe(200);
  });

  it('is removed by a revert if it was turned on after the change', async () => {
    const ada = await newVerifiedAccount();
    const link = await moveTo(ada, freshEmail('thief'));
    setClock(() => Date.now() + minuteMs);
    await plantTwoFactor(ada.userId);
    await revert(link);
    await resetBy(ada.email);

    expect((await signIn(ada.email, newPassword)).status).toBe(200);
  });

  it('is kept if it was turned on after the address was restored, whichever link is used', async () => {
    const ada = await newVerifiedAccount();
    const link = await moveTo(ada, freshEmail('thief'));
    await change(ada, ada.email);
    setClock(() => Date.now() + minuteMs);
    const { secret } = await turnOn(ada);
    await change(ada, freshEmail('thief'));
    await revert(link);
    await resetBy(ada.email);

    expect((await withCode(ada.email, secret)).status).toBe(200);
  });
});

describe('the token', () => {
  it('works only once, even for concurrent requests', async () => {
    const link = await moveTo(await newVerifiedAccount(), freshEmail('new'));
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
    const [ada, grace] = [await newVerifiedAccount(), await newVerifiedAccount()];
    const links = [await moveTo(ada, freshEmail('a')), await moveTo(grace, freshEmail('b'))];
    const now = Date.now();
    setClock(() => now + 7 * dayMs - 60_000);
    expect((await revert(links[0] ?? '')).status).toBe(200);
    setClock(() => now + 7 * dayMs + 60_000);

    expect(await revert(links[1] ?? '')).toMatchObject(refused);
  });
});
