import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { minuteMs, secondMs } from '#lib/platform/clock.ts';
import {
  changePassword,
  disableTwoFactor,
  getMe,
  logIn,
  logInWithTwoFactor,
} from '#schemas/auth.ts';
import { codeOf, plantTwoFactor, wrongCodeOf } from '#scripts/fixtures/two-factor.ts';
import { type Account, newAccount, password } from '#tests/support/accounts.ts';
import { type Answer, call, freshIp } from '#tests/support/api.ts';
import { mailsTo } from '#tests/support/mails.ts';
import { storedItems } from '#tests/support/table.ts';
import { passTime, stopClock } from '#tests/support/time.ts';

beforeEach(stopClock);
afterEach(() => {
  process.env.LOGIN_LIMIT_PER_ADDRESS = '5';
});

async function newProtected() {
  const account = await newAccount();

  return { account, ...(await plantTwoFactor(account.userId)) };
}

async function challengeOf({ email }: Account): Promise<string> {
  const { status, body } = await call(logIn, { body: { email, password } });
  expect([status, body.code]).toEqual([401, 'TWO_FACTOR_REQUIRED']);

  return body.challengeToken;
}

const attempt = (challengeToken: string, code: string, cookies?: readonly string[]) =>
  call(logInWithTwoFactor, { body: { challengeToken, code }, ...(cookies ? { cookies } : {}) });

const statusesOf = (answers: readonly Answer[]) => answers.map(({ status }) => status).sort();

const deviceCookieOf = ({ cookies }: Answer) =>
  cookies.find((cookie) => cookie.startsWith('__Host-known_device='))?.split(';')[0] ?? '';

describe('the first factor', () => {
  it('sets no cookie, opens no session, and is not a failed sign-in', async () => {
    const { account } = await newProtected();
    for (let times = 0; times < 7; times += 1) {
      const answer = await call(logIn, { body: { email: account.email, password } });
      expect([answer.status, answer.cookies]).toEqual([401, []]);
    }
    const sessions = await storedItems(`USER#${account.userId}`);
    expect(sessions.filter(({ sk }) => sk.startsWith('SESSION#'))).toHaveLength(1);
  });

  it('stores only a hash of the challenge token', async () => {
    const { account } = await newProtected();
    const challengeToken = await challengeOf(account);

    expect(JSON.stringify(await storedItems('USER_TOKEN#'))).not.toContain(challengeToken);
  });

  it('does not reveal whether a wrong password belongs to a user with two factors', async () => {
    const { account } = await newProtected();
    const body = { email: account.email, password: 'wrong horse battery' };
    const answer = await call(logIn, { body });

    expect(answer.body.message).toBe('Invalid email or password');
    expect(answer.body.code).toBe('CREDENTIALS_INVALID');
  });
});

describe('the second factor', () => {
  it('signs in like a login, with both cookies', async () => {
    const { account, secret } = await newProtected();
    const answer = await attempt(await challengeOf(account), codeOf(secret));

    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      user: { id: account.userId },
      organizations: [{ id: account.organizationId, role: 'OWNER' }],
      message: 'Login successful',
    });
    expect(answer.cookies.map((cookie) => cookie.split('=')[0])).toEqual([
      '__Host-auth_token',
      '__Host-known_device',
    ]);
    expect((await call(getMe, { token: answer.body.authToken })).status).toBe(200);
  });

  it('accepts a challenge for five minutes', async () => {
    const { account, secret } = await newProtected();
    const challenges = [await challengeOf(account), await challengeOf(account)] as const;
    passTime(5 * minuteMs - secondMs);
    expect((await attempt(challenges[0], codeOf(secret))).status).toBe(200);

    passTime(secondMs);
    const late = await attempt(challenges[1], codeOf(secret, 1));
    expect([late.status, late.body.message]).toEqual([401, 'Invalid or expired challenge token']);
  });

  it('accepts a challenge once', async () => {
    const { account, secret } = await newProtected();
    const challengeToken = await challengeOf(account);
    await attempt(challengeToken, codeOf(secret));
    const again = await attempt(challengeToken, codeOf(secret, 1));

    expect(again.body.message).toBe('Invalid or expired challenge token');
  });

  it('accepts a code only once, even for concurrent challenges', async () => {
    const { account, secret } = await newProtected();
    const challenges = await Promise.all([1, 2, 3].map(() => challengeOf(account)));
    const code = codeOf(secret);
    const answers = await Promise.all(challenges.map((token) => attempt(token, code)));

    expect(statusesOf(answers)).toEqual([200, 401, 401]);
    const failed = answers.filter(({ status }) => status === 401);
    expect(failed.map(({ body }) => body.message)).toEqual(['Invalid code', 'Invalid code']);
  });

  it('does not accept a code of an earlier step than the last one', async () => {
    const { account, secret } = await newProtected();
    await attempt(await challengeOf(account), codeOf(secret, 1));
    const earlier = await attempt(await challengeOf(account), codeOf(secret));

    expect([earlier.status, earlier.body.message]).toEqual([401, 'Invalid code']);
  });

  it('accepts only one of many concurrent requests with the same challenge and code', async () => {
    const { account, secret } = await newProtected();
    const challengeToken = await challengeOf(account);
    const code = codeOf(secret);
    const answers = await Promise.all([1, 2, 3, 4].map(() => attempt(challengeToken, code)));

    expect(statusesOf(answers)).toEqual([200, 401, 401, 401]);
  });

  it('rejects unknown challenges, and tokens for other purposes', async () => {
    const { secret } = await newProtected();
    const answer = await attempt('unknown', codeOf(secret));

    expect([answer.status, answer.body.message]).toEqual([
      401,
      'Invalid or expired challenge token',
    ]);
  });

  it('rejects a challenge from before a password change', async () => {
    const { account, secret } = await newProtected();
    const challengeToken = await challengeOf(account);
    passTime(secondMs);
    const body = { currentPassword: password, newPassword: 'another horse battery' };
    await call(changePassword, { token: account.token, body });
    const answer = await attempt(challengeToken, codeOf(secret));

    expect(answer.body.message).toBe('Invalid or expired challenge token');
  });

  it('rejects every code after two-factor authentication is turned off', async () => {
    const { account, secret } = await newProtected();
    const challengeToken = await challengeOf(account);
    const body = { password, code: codeOf(secret) };
    await call(disableTwoFactor, { token: account.token, body });

    expect((await attempt(challengeToken, codeOf(secret, 1))).body.message).toBe('Invalid code');
  });
});

describe('wrong codes', () => {
  it('end a challenge after five, even if they are sent concurrently', async () => {
    process.env.LOGIN_LIMIT_PER_ADDRESS = '1000';
    const { account, secret } = await newProtected();
    const challengeToken = await challengeOf(account);
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => attempt(challengeToken, wrongCodeOf(secret))),
    );
    const messages = answers.map(({ body }) => body.message);

    expect(messages.filter((message) => message === 'Invalid code')).toHaveLength(5);
    expect((await attempt(challengeToken, codeOf(secret))).status).toBe(401);
    expect((await attempt(await challengeOf(account), codeOf(secret))).status).toBe(200);
  });

  it('count as failed sign-ins of the address', async () => {
    const { account, secret } = await newProtected();
    const challenges = [await challengeOf(account), await challengeOf(account)] as const;
    for (let times = 0; times < 5; times += 1) {
      const answer = await attempt(challenges[times % 2] ?? '', wrongCodeOf(secret));
      expect([answer.status, answer.body.message]).toEqual([401, 'Invalid code']);
    }

    expect((await attempt(challenges[1], codeOf(secret))).status).toBe(429);
    const login = await call(logIn, { body: { email: account.email, password } });
    expect(login.status).toBe(429);
  });

  it('do not lock out a browser that has signed in before', async () => {
    const { account, secret } = await newProtected();
    const known = await attempt(await challengeOf(account), codeOf(secret));
    const cookies = [deviceCookieOf(known)];
    const stranger = await challengeOf(account);
    for (let times = 0; times < 5; times += 1) {
      await attempt(stranger, wrongCodeOf(secret));
    }
    const login = await call(logIn, { body: { email: account.email, password }, cookies });
    expect(login.body.code).toBe('TWO_FACTOR_REQUIRED');

    const answer = await attempt(login.body.challengeToken, codeOf(secret, 1), cookies);
    expect(answer.status).toBe(200);
  });

  it('count for the IP address, too', async () => {
    process.env.LOGIN_LIMIT_PER_IP = '2';
    const ip = freshIp();
    const send = () => call(logInWithTwoFactor, { body: { challengeToken: 'x', code: '1' }, ip });
    await send();
    await send();

    expect((await send()).status).toBe(429);
    process.env.LOGIN_LIMIT_PER_IP = '100000';
  });
});

describe('a recovery code', () => {
  it('works only once, ignoring case, dashes and spaces, and the user is emailed', async () => {
    const { account, recoveryCodes } = await newProtected();
    const [first = '', second = ''] = recoveryCodes;
    expect((await attempt(await challengeOf(account), first)).status).toBe(200);
    const again = await attempt(await challengeOf(account), first);
    expect([again.status, again.body.message]).toEqual([401, 'Invalid code']);

    const typed = ` ${second.toLowerCase().replaceAll('-', ' ')} `;
    expect((await attempt(await challengeOf(account), typed)).status).toBe(200);
    const mails = await mailsTo(account.email);
    expect(mails.map(({ subject }) => subject)).toEqual([
      'A recovery code was used',
      'A recovery code was used',
    ]);
    expect(mails[0]?.html).toContain('in place of a code from your authenticator app');
  });

  it('works for only one of several concurrent uses', async () => {
    const { account, recoveryCodes } = await newProtected();
    const [code = ''] = recoveryCodes;
    const challenges = await Promise.all([1, 2, 3].map(() => challengeOf(account)));
    const answers = await Promise.all(challenges.map((token) => attempt(token, code)));

    expect(statusesOf(answers)).toEqual([200, 401, 401]);
  });

  it('of another user does not work', async () => {
    const { account } = await newProtected();
    const other = await newProtected();
    const answer = await attempt(await challengeOf(account), other.recoveryCodes[0] ?? '');

    expect(answer.body.message).toBe('Invalid code');
  });
});
