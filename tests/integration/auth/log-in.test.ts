import bcrypt from 'bcryptjs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { minuteMs, setClock } from '#lib/platform/clock.ts';
import { getMe, logIn, signUp } from '#schemas/auth.ts';
import {
  freshEmail,
  newAccount,
  newMember,
  password,
  signUpBody,
} from '#tests/support/accounts.ts';
import { type Answer, call, freshIp } from '#tests/support/api.ts';
import { errorBodyOf } from '#tests/support/error-body.ts';
import { passTime, stopClock } from '#tests/support/time.ts';

beforeEach(stopClock);

afterEach(() => {
  vi.restoreAllMocks();
  process.env.LOGIN_LIMIT_PER_IP = '100000';
});

function attempt(email: string, given: string, ip = freshIp()): Promise<Answer> {
  return call(logIn, { body: { email, password: given }, ip });
}

/** Removes the request id, which differs in every response. */
function comparable({ status, body, headers, cookies }: Answer) {
  const { 'x-request-id': _, ...others } = headers;

  return JSON.stringify({ status, body, headers: others, cookies });
}

describe('logging in', () => {
  it('returns the user, the organizations in joining order, a token and the cookie', async () => {
    setClock();
    const inviter = await newAccount({ organizationName: 'Inviters' });
    const member = await newMember(inviter, 'VIEWER');
    const answer = await attempt(member.email, password);

    expect(answer.body).toMatchObject({
      user: { id: member.userId, email: member.email, authProvider: 'LOCAL', avatar: null },
      message: 'Login successful',
    });
    expect(
      answer.body.organizations.map(({ name, role }: Record<string, string>) => [name, role]),
    ).toEqual([
      ['Analytical Engines', 'OWNER'],
      ['Inviters', 'VIEWER'],
    ]);
    expect(answer.cookies).toEqual([
      `__Host-auth_token=${answer.body.authToken}; Max-Age=604800; Path=/; HttpOnly; Secure; SameSite=None; Partitioned`,
      expect.stringMatching(
        /^__Host-known_device=[\w-]+\.[\w-]{43}; Max-Age=31536000; Path=\/; HttpOnly; Secure; SameSite=None; Partitioned$/,
      ),
    ]);
    const me = await call(getMe, { token: answer.body.authToken });
    expect(me.body.user.currentOrganization.id).toBe(member.organizationId);
  });

  it('accepts the password in any Unicode normalization form', async () => {
    const email = freshEmail();
    const typed = 'pässwörd Ω';
    const body = signUpBody({ email, password: typed.normalize('NFD') });
    expect((await call(signUp, { body })).status).toBe(201);

    expect((await attempt(email, typed.normalize('NFC'))).status).toBe(200);
    expect((await attempt(email, typed.normalize('NFD'))).status).toBe(200);
    expect((await attempt(email, 'password Ω')).status).toBe(401);
  });

  it('opens a new session each time', async () => {
    const { email } = await newAccount();
    const tokens = await Promise.all([attempt(email, password), attempt(email, password)]);

    expect(new Set(tokens.map(({ body }) => body.authToken)).size).toBe(2);
  });

  it('does not count successes against the limit, even 20 in a row', async () => {
    const { email } = await newAccount();
    const ip = freshIp();
    process.env.LOGIN_LIMIT_PER_IP = '50';
    for (let time = 0; time < 20; time += 1) {
      const answer = await attempt(email, password, ip);
      expect(answer.status).toBe(200);
      expect(answer.headers['ratelimit-policy']).toBe(
        '"loginAddress";q=5;w=900, "loginIp";q=50;w=900',
      );
      expect(answer.headers.ratelimit).toBe('"loginAddress";r=5;t=900, "loginIp";r=50;t=900');
    }
    expect((await attempt(email, 'wrong', ip)).headers.ratelimit).toBe(
      '"loginAddress";r=4;t=900, "loginIp";r=49;t=900',
    );
  });

  it('ignores the Idempotency-Key and never returns the same session twice', async () => {
    const { email } = await newAccount();
    const request = {
      body: { email, password },
      ip: freshIp(),
      headers: { 'idempotency-key': 'login-1' },
    };
    const first = await call(logIn, request);
    const second = await call(logIn, request);

    expect(second.headers['idempotent-replayed']).toBeUndefined();
    expect(second.body.authToken).not.toBe(first.body.authToken);
  });
});

describe('wrong credentials', () => {
  it('returns the same for a wrong password and an unknown address', async () => {
    const { email } = await newAccount();
    const wrong = await attempt(email, 'wrong password');
    const unknown = await attempt(freshEmail(), 'wrong password');

    expect(wrong.status).toBe(401);
    expect(wrong.body).toEqual(errorBodyOf('CREDENTIALS_INVALID', 'Invalid email or password'));
    expect(comparable(unknown)).toBe(comparable(wrong));
  });

  it('compares one hash of the same cost for both', async () => {
    const { email } = await newAccount();
    await attempt(freshEmail(), password);
    const compare = vi.spyOn(bcrypt, 'compare');
    const hash = vi.spyOn(bcrypt, 'hash');

    await attempt(email, 'wrong password');
    await attempt(freshEmail(), 'wrong password');

    const costs = compare.mock.calls.map(([, stored]) => bcrypt.getRounds(String(stored)));
    expect(costs).toEqual([4, 4]);
    expect(hash).not.toHaveBeenCalled();
  });

  it('returns the same for both if the address is locked', async () => {
    const known = (await newAccount()).email;
    const unknown = freshEmail();
    const answers: string[] = [];
    for (const email of [known, unknown]) {
      for (let time = 0; time < 5; time += 1) {
        await attempt(email, 'wrong');
      }
      answers.push(comparable(await attempt(email, 'wrong')));
    }

    expect(answers[1]).toBe(answers[0]);
  });
});

describe('rate limit per address', () => {
  it('locks the address after five failures until the window ends, even for the right password', async () => {
    const { email } = await newAccount();
    for (let failures = 1; failures <= 5; failures += 1) {
      const answer = await attempt(email, 'wrong');
      expect(answer.status).toBe(401);
      expect(answer.headers.ratelimit).toContain(`"loginAddress";r=${5 - failures};t=900`);
    }

    const locked = await attempt(email.toUpperCase(), password);
    expect(locked.status).toBe(429);
    expect(locked.body).toEqual(
      errorBodyOf('RATE_LIMITED', 'Too many requests, please try again later'),
    );
    expect(locked.headers).toMatchObject({
      'retry-after': '900',
      ratelimit: expect.stringContaining('"loginAddress";r=0;t=900'),
      'ratelimit-policy': expect.stringContaining('"loginAddress";q=5;w=900'),
    });
    passTime(15 * minuteMs - 1000);
    expect((await attempt(email, password)).status).toBe(429);
    passTime(1000);
    expect((await attempt(email, password)).status).toBe(200);
  });

  it('checks five of 100 concurrent wrong passwords and computes no hash for the others', async () => {
    const { email } = await newAccount();
    const compare = vi.spyOn(bcrypt, 'compare');
    const ip = freshIp();
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) => attempt(email, `wrong ${index}`, ip)),
    );

    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(5);
    expect(statuses.filter((status) => status === 429)).toHaveLength(95);
    expect(compare).toHaveBeenCalledTimes(5);
    const other = await newAccount();
    expect((await attempt(other.email, password, ip)).status).toBe(200);
    passTime(15 * minuteMs);
    expect((await attempt(email, password, ip)).status).toBe(200);
  });

  it('keeps earlier failures after a successful login', async () => {
    const { email } = await newAccount();
    for (let failures = 1; failures <= 4; failures += 1) {
      await attempt(email, 'wrong');
    }
    expect((await attempt(email, password)).status).toBe(200);
    expect((await attempt(email, 'wrong')).status).toBe(401);
    expect((await attempt(email, password)).status).toBe(429);
  });
});

/** Signs in and returns the cookie that identifies the browser. */
async function knownDevice(email: string): Promise<string> {
  const { cookies } = await attempt(email, password);
  const cookie = cookies.find((one) => one.startsWith('__Host-known_device='));

  return String(cookie).split(';')[0] ?? '';
}

function attemptFrom(device: string, email: string, given: string): Promise<Answer> {
  return call(logIn, { body: { email, password: given }, cookies: [device] });
}

async function lock(email: string): Promise<void> {
  for (let failures = 1; failures <= 6; failures += 1) {
    await attempt(email, 'a guess');
  }
}

describe('a browser that has signed in before', () => {
  it('signs in while strangers have locked the address', async () => {
    const { email } = await newAccount();
    const device = await knownDevice(email);
    await lock(email);
    expect((await attempt(email, password)).status).toBe(429);

    const answer = await attemptFrom(device, email, password);
    expect(answer.status).toBe(200);
    expect(answer.headers.ratelimit).toContain('"loginDevice";r=5;t=900');
  });

  it('has five failures of its own, which do not lock other browsers', async () => {
    const { email } = await newAccount();
    const [one, other] = [await knownDevice(email), await knownDevice(email)];
    const statuses: number[] = [];
    for (let failures = 1; failures <= 6; failures += 1) {
      statuses.push((await attemptFrom(one, email, 'wrong')).status);
    }

    expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
    expect((await attemptFrom(one, email, password)).status).toBe(429);
    expect((await attemptFrom(other, email, password)).status).toBe(200);
    expect((await attempt(email, password)).status).toBe(200);
    passTime(15 * minuteMs);
    expect((await attemptFrom(one, email, password)).status).toBe(200);
  });

  it('keeps its counter when it signs in again', async () => {
    const { email } = await newAccount();
    const first = await knownDevice(email);
    const { cookies } = await attemptFrom(first, email, password);
    const renewed = String(cookies[1]).split(';')[0] ?? '';
    for (let failures = 1; failures <= 5; failures += 1) {
      await attemptFrom(first, email, 'wrong');
    }

    expect((await attemptFrom(renewed, email, password)).status).toBe(429);
  });

  it("counts as unknown with another user's, a forged, a truncated or an expired cookie", async () => {
    const { email } = await newAccount();
    const stranger = await newAccount();
    const device = await knownDevice(email);
    const foreign = await knownDevice(stranger.email);
    await lock(email);
    const [payload = '', signature = ''] = device.split('=')[1]?.split('.') ?? [];
    const [foreignPayload = ''] = foreign.split('=')[1]?.split('.') ?? [];
    const forged = [
      foreign,
      device.slice(0, -1),
      `${device}.x`,
      `__Host-known_device=${payload}`,
      `__Host-known_device=${payload}.`,
      `__Host-known_device=${foreignPayload}.${signature}`,
      '__Host-known_device=',
      '__Host-known_device=.',
    ];
    for (const cookie of forged) {
      expect((await attemptFrom(cookie, email, password)).status).toBe(429);
    }

    expect((await attemptFrom(device, email, password)).status).toBe(200);
    passTime(366 * 24 * 60 * minuteMs);
    await lock(email);
    expect((await attemptFrom(device, email, password)).status).toBe(429);
  });

  it('gets no session from its cookie', async () => {
    const { email } = await newAccount();
    const device = await knownDevice(email);
    const value = device.split('=')[1] ?? '';

    expect((await call(getMe, { cookies: [device] })).status).toBe(401);
    expect((await call(getMe, { token: value })).status).toBe(401);
  });

  it('is known after a signup', async () => {
    const body = signUpBody();
    const { cookies } = await call(signUp, { body });
    await lock(body.email);

    const device = String(cookies[1]).split(';')[0] ?? '';
    expect((await attemptFrom(device, body.email, password)).status).toBe(200);
  });
});

describe('rate limit per IP', () => {
  it('counts all addresses of an IPv6 /64 together', async () => {
    process.env.LOGIN_LIMIT_PER_IP = '3';
    const network = freshIp().split('::')[0];
    const statuses: number[] = [];
    for (const host of ['::1', '::2', ':a:b:c:d', ':ffff:ffff:ffff:ffff']) {
      statuses.push((await attempt(freshEmail(), 'wrong', `${network}${host}`)).status);
    }

    expect(statuses).toEqual([401, 401, 401, 429]);
  });

  it('rejects an IP address after its allowed failures with any email addresses, but no other IP address', async () => {
    process.env.LOGIN_LIMIT_PER_IP = '50';
    const { email } = await newAccount();
    const ip = freshIp();
    const answers = await Promise.all(
      Array.from({ length: 60 }, () => attempt(freshEmail(), 'wrong', ip)),
    );

    expect(answers.filter(({ status }) => status === 401)).toHaveLength(50);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(10);
    expect((await attempt(email, password, ip)).status).toBe(429);
    expect((await attempt(email, password)).status).toBe(200);
    passTime(15 * minuteMs);
    expect((await attempt(email, password, ip)).status).toBe(200);
  });

  it("uses the gateway's source IP, not the client's headers", async () => {
    process.env.LOGIN_LIMIT_PER_IP = '3';
    const ip = freshIp();
    const statuses: number[] = [];
    for (let time = 0; time < 4; time += 1) {
      const { status } = await call(logIn, {
        ip,
        body: { email: freshEmail(), password: 'wrong' },
        headers: { 'x-forwarded-for': `198.51.100.${time}` },
      });
      statuses.push(status);
    }

    expect(statuses).toEqual([401, 401, 401, 429]);
  });
});
