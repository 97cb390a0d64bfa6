import {
  createHmac,
  createPublicKey,
  generateKeyPairSync,
  type JsonWebKey,
  randomUUID,
} from 'node:crypto';
import { SignJWT } from 'jose';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EmailClaim } from '#lib/features/users/users.ts';
import { minuteMs, secondMs, setClock, timestamp } from '#lib/platform/clock.ts';
import { documentClient } from '#lib/platform/db/client.ts';
import { type Key, keys } from '#lib/platform/db/keys.ts';
import { get } from '#lib/platform/db/read.ts';
import { forgetGoogleKeys } from '#lib/vendors/google/google-keys.ts';
import { createApiKey, listApiKeys } from '#schemas/api-keys.ts';
import {
  forgotPassword,
  getMe,
  listSessions,
  logIn,
  logInWithTwoFactor,
  resetPassword,
  revertEmail,
  signInWithGoogle,
  signUp,
  updateMe,
} from '#schemas/auth.ts';
import {
  inviteMember,
  listAuditLog,
  listMembers,
  listOrganizations,
} from '#schemas/organizations.ts';
import { verify } from '#scripts/fixtures/planted-account.ts';
import { codeOf, plantTwoFactor } from '#scripts/fixtures/two-factor.ts';
import {
  freshEmail,
  newAccount,
  newVerifiedAccount,
  password,
  signUpBody,
} from '#tests/support/accounts.ts';
import { call, freshIp } from '#tests/support/api.ts';
import { errorBodyOf } from '#tests/support/error-body.ts';
import { mailsTo, sandbox, tokenIn } from '#tests/support/mails.ts';
import { overtake } from '#tests/support/overtake.ts';
import { customersOf } from '#tests/support/provider.ts';
import { storedItems } from '#tests/support/table.ts';

const clientId = String(process.env.GOOGLE_CLIENT_ID);
const signupFields = { organizationName: 'Analytical Engines', paymentMethodId: 'pm_card_visa' };

beforeEach(forgetGoogleKeys);

afterEach(() => {
  process.env.LOGIN_LIMIT_PER_IP = '100000';
  process.env.GOOGLE_CLIENT_ID = clientId;
});

type Person = Parameters<typeof sandbox.issueGoogleIdToken>[0];

async function signIn(person: Person, fields: object = {}, ip = freshIp()) {
  const idToken = await sandbox.issueGoogleIdToken(person);

  return call(signInWithGoogle, { body: { idToken, ...fields }, ip });
}

/**
 * Does something else after `act` has read the link of the Google account, and before it reads the
 * address.
 */
async function betweenReads<Result>(
  { email, sub }: { readonly email: string; readonly sub: string },
  act: () => Promise<Result>,
  other: () => Promise<void>,
): Promise<Result> {
  const reads = new Map<string, Promise<unknown>>();
  const name = 'betweenReads';
  documentClient.middlewareStack.add(
    (next) => async (args) => {
      const { pk } = (args.input as { readonly Key?: Key }).Key ?? { pk: '' };
      if (reads.has(pk)) {
        return next(args);
      }
      if (pk === keys.emailClaim(email).pk) {
        reads.set(pk, Promise.resolve());
        await reads.get(keys.googleSubject(sub).pk);
        await other();
      }
      const read = next(args);
      reads.set(pk, read);

      return read;
    },
    { step: 'initialize', name },
  );
  try {
    return await act();
  } finally {
    documentClient.middlewareStack.remove(name);
  }
}

const keyFetches = async () => (await sandbox.requests({ service: 'google' })).length;

describe('signing up with Google', () => {
  it('registers a verified user and an organization, with status 201 and both cookies', async () => {
    const email = freshEmail();
    const person = { email, givenName: 'Ada', familyName: 'Lovelace' };
    const answer = await signIn(person, { ...signupFields, timezone: 'Europe/London' });

    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({
      user: { email, firstName: 'Ada', lastName: 'Lovelace', authProvider: 'GOOGLE' },
      organization: { name: 'Analytical Engines' },
      message: 'User registered successfully',
    });
    expect(answer.cookies.map((cookie) => cookie.split('=')[0])).toEqual([
      '__Host-auth_token',
      '__Host-known_device',
    ]);
    const me = await call(getMe, { token: answer.body.authToken });
    expect(me.body.user).toMatchObject({ emailVerified: true, twoFactorEnabled: false });
    expect(await customersOf(email)).toHaveLength(1);
  });

  it('signs in the same user afterwards, although the address has changed here', async () => {
    const email = freshEmail();
    const first = await signIn({ email }, signupFields);
    await call(updateMe, { token: first.body.authToken, body: { email: freshEmail('new') } });
    const again = await signIn({ email });

    expect(again.status).toBe(200);
    expect(again.body).toMatchObject({
      user: { id: first.body.user.id, authProvider: 'GOOGLE' },
      organizations: [{ role: 'OWNER' }],
      message: 'Login successful',
    });
  });

  it('uses UTC and the address for data that Google does not provide', async () => {
    const answer = await signIn({ email: 'Cher@Example.com ' }, signupFields);

    expect(answer.body.user).toMatchObject({
      email: 'cher@example.com',
      firstName: 'cher',
      lastName: '',
    });
    const user = await get<{ timezone: string }>(keys.user(answer.body.user.id));
    expect(user?.timezone).toBe('UTC');
  });

  it('joins the organization of an invitation', async () => {
    const owner = await newAccount();
    const email = freshEmail();
    const params = { organization_id: owner.organizationId };
    await call(inviteMember, { params, token: owner.token, body: { email, role: 'MEMBER' } });
    const invitationToken = tokenIn((await mailsTo(email))[0]);
    const answer = await signIn({ email }, { ...signupFields, invitationToken });

    expect(answer.status).toBe(201);
    const { body } = await call(listMembers, { params, token: owner.token });
    expect(body.members.map((member: { email: string }) => member.email)).toContain(email);
  });

  it('returns 404 with SIGNUP_REQUIRED for a new address without the fields of a signup', async () => {
    const answer = await signIn({ email: freshEmail() });

    expect(answer.status).toBe(404);
    expect(answer.body.code).toBe('SIGNUP_REQUIRED');
    const nulls = { organizationName: null, paymentMethodId: null, timezone: null };
    expect((await signIn({ email: freshEmail() }, nulls)).status).toBe(404);
  });

  it.each([
    [{ timezone: 'UTC' }, ['organizationName is required', 'paymentMethodId is required']],
    [{ organizationName: 'Engines' }, ['paymentMethodId is required']],
    [{ paymentMethodId: 'pm_card_visa' }, ['organizationName is required']],
    [{ invitationToken: 'abc' }, ['organizationName is required', 'paymentMethodId is required']],
  ])('returns 400 with the missing fields of %j', async (fields, message) => {
    const answer = await signIn({ email: freshEmail() }, fields);

    expect([answer.status, answer.body.message]).toEqual([400, message]);
  });

  it('leaves nothing behind if the card is declined', async () => {
    const email = freshEmail();
    const declined = { ...signupFields, paymentMethodId: 'pm_card_chargeDeclined' };

    expect((await signIn({ email }, declined)).status).toBe(400);
    expect(await customersOf(email)).toEqual([]);
    expect((await signIn({ email }, signupFields)).status).toBe(201);
  });

  it('counts towards the signup limit of the IP address, unlike signing in', async () => {
    process.env.SIGNUP_LIMIT_PER_IP = '1';
    const [ip, email] = [freshIp(), freshEmail()];
    expect((await signIn({ email }, signupFields, ip)).status).toBe(201);
    expect((await signIn({ email: freshEmail() }, signupFields, ip)).status).toBe(429);
    expect((await signIn({ email }, {}, ip)).status).toBe(200);
    process.env.SIGNUP_LIMIT_PER_IP = '100000';
  });

  it('creates one account for concurrent signups, and signs in the others', async () => {
    const email = freshEmail();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => signIn({ email }, signupFields)),
    );
    const statuses = answers.map(({ status }) => status).sort();

    expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 200, 201]);
    expect(new Set(answers.map(({ body }) => body.user.id)).size).toBe(1);
    expect(await customersOf(email)).toHaveLength(1);
    expect(await storedItems('SIGNUP#')).toEqual([]);
  });

  it('signs in when another request signs up the user between its reads', async () => {
    const person = { email: freshEmail(), sub: randomUUID() };
    let other: Awaited<ReturnType<typeof signIn>> | undefined;
    const answer = await betweenReads(
      person,
      () => signIn(person),
      async () => {
        other = await signIn(person, signupFields);
      },
    );

    expect(other?.status).toBe(201);
    expect(answer.status).toBe(200);
    expect(answer.body.user.id).toBe(other?.body.user.id);
  });
});

describe('linking a Google account', () => {
  it('links the user with the same verified address, who stays LOCAL', async () => {
    const { email, userId } = await newVerifiedAccount();
    const answer = await signIn({ email });

    expect(answer.status).toBe(200);
    expect(answer.body.user).toMatchObject({ id: userId, authProvider: 'LOCAL' });
    expect((await call(getMe, { token: answer.body.authToken })).status).toBe(200);
  });

  it('locks out a stranger who signed up with the address before its owner did', async () => {
    const attacker = await newAccount();
    const { email } = attacker;
    const params = { organization_id: attacker.organizationId };
    const keyBody = { name: 'Sync', role: 'ADMIN' };
    const apiKey = await call(createApiKey, { params, token: attacker.token, body: keyBody });
    const other = await call(logIn, { body: { email, password } });
    await call(forgotPassword, { body: { email } });
    const resetToken = tokenIn((await mailsTo(email))[0]);
    await verify(attacker.userId);
    setClock(() => Date.now() + minuteMs);
    const owner = await signIn({ email });

    expect(owner.status).toBe(200);
    for (const token of [attacker.token, other.body.authToken, apiKey.body.key]) {
      expect((await call(listOrganizations, { token })).status).toBe(401);
    }
    expect((await call(logIn, { body: { email, password } })).status).toBe(401);
    const reset = { token: resetToken, newPassword: 'another horse battery' };
    expect((await call(resetPassword, { body: reset })).status).toBe(400);
    const { authToken: token } = owner.body;
    expect((await call(listSessions, { token })).body.total).toBe(1);
    expect((await call(listApiKeys, { token, params })).body.total).toBe(0);
    const [entry] = (await call(listAuditLog, { token, params })).body.entries;
    expect(entry).toMatchObject({ action: 'api_key.revoked', details: { revokedApiKeys: 1 } });
    const [mail] = await mailsTo(email);
    expect(mail?.subject).toBe('Your Google account was linked');
  });

  it("invalidates the revert link of an attacker who changed to the address, and frees the attacker's address", async () => {
    const attacker = await newVerifiedAccount();
    const email = freshEmail('victim');
    await call(updateMe, { token: attacker.token, body: { email } });
    const token = tokenIn((await mailsTo(attacker.email))[0]);
    await verify(attacker.userId);
    expect((await signIn({ email })).status).toBe(200);

    expect((await call(revertEmail, { body: { token } })).status).toBe(400);
    const body = signUpBody({ email: attacker.email });
    expect((await call(signUp, { body })).status).toBe(201);
  });

  it.each(['session', 'API key'])('removes a concurrently created %s', async (kind) => {
    const { email, token: own, organizationId } = await newVerifiedAccount();
    const params = { organization_id: organizationId };
    const create = () =>
      kind === 'session'
        ? call(logIn, { body: { email, password } })
        : call(createApiKey, { params, token: own, body: { name: 'Sync', role: 'ADMIN' } });
    const { answer, other } = await overtake({ begin: () => signIn({ email }) }, create);

    expect(answer.status).toBe(200);
    const token = other.body.authToken ?? other.body.key ?? 'none';
    expect((await call(listOrganizations, { token })).status).toBe(401);
  });

  it('forgets browsers that were known before', async () => {
    const { email } = await newVerifiedAccount();
    const { cookies } = await call(logIn, { body: { email, password } });
    const device = cookies.find((cookie) => cookie.startsWith('__Host-known_device=')) ?? '';
    setClock(() => Date.now() + minuteMs);
    const { cookies: owners } = await signIn({ email });
    const attempt = (cookie: string) =>
      call(logIn, { body: { email, password: 'a guess' }, cookies: [cookie.split(';')[0] ?? ''] });
    for (let failures = 1; failures <= 5; failures += 1) {
      expect((await attempt(device)).status).toBe(401);
    }

    expect((await attempt(device)).headers.ratelimit).toContain('"loginAddress";r=0');
    expect((await attempt(owners[1] ?? '')).status).toBe(401);
  });

  it('ends nothing when the linked account signs in again', async () => {
    const { email } = await newVerifiedAccount();
    const [first, second] = [
      await signIn({ email, sub: '31' }),
      await signIn({ email, sub: '31' }),
    ];

    for (const { body } of [first, second]) {
      expect((await call(getMe, { token: body.authToken })).status).toBe(200);
    }
  });

  it('returns 409 with ACCOUNT_EXISTS if the address is not verified here', async () => {
    const { email } = await newAccount();
    const answer = await signIn({ email }, signupFields);

    expect(answer.status).toBe(409);
    expect(answer.body.code).toBe('ACCOUNT_EXISTS');
  });

  it('does not link a second Google account with the same address', async () => {
    const { email } = await newVerifiedAccount();
    await signIn({ email, sub: '1' });
    const other = await signIn({ email, sub: '2' });

    expect(other.status).toBe(409);
    expect(other.body.code).toBe('ACCOUNT_EXISTS');
    expect((await signIn({ email, sub: '1' })).status).toBe(200);
  });

  it('links only one of two Google accounts that sign in concurrently', async () => {
    const { email } = await newVerifiedAccount();
    const answers = await Promise.all(['11', '12'].map((sub) => signIn({ email, sub })));

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  it('gets an address that is reserved for its former user, whose link becomes invalid', async () => {
    const { email, token } = await newVerifiedAccount();
    await call(updateMe, { token, body: { email: freshEmail('new') } });
    const link = tokenIn((await mailsTo(email))[0]);

    expect((await signIn({ email })).body.code).toBe('SIGNUP_REQUIRED');
    expect((await signIn({ email }, signupFields)).status).toBe(201);
    expect((await call(revertEmail, { body: { token: link } })).status).toBe(400);
    expect((await call(updateMe, { token, body: { email } })).status).toBe(409);
  });

  it('either gets a reserved address or loses it to its former user, if both request it concurrently', async () => {
    const { email, token, userId } = await newVerifiedAccount();
    await call(updateMe, { token, body: { email: freshEmail('new') } });
    const [signup, takenBack] = await Promise.all([
      signIn({ email }, signupFields),
      call(updateMe, { token, body: { email } }),
    ]);

    expect([
      [201, 409],
      [409, 200],
    ]).toContainEqual([signup.status, takenBack.status]);
    const claim = await get<EmailClaim>(keys.emailClaim(email));
    expect([signup.body.user?.id, userId]).toContain(claim?.userId);
  });

  it('is kept after a revert of the address if the account was linked before', async () => {
    const { email } = await newVerifiedAccount();
    const token = (await signIn({ email })).body.authToken;
    setClock(() => Date.now() + minuteMs);
    await call(updateMe, { token, body: { email: freshEmail('new') } });
    const mails = await mailsTo(email);
    const revertToken = tokenIn(mails.find(({ text }) => text?.includes('/email/revert')));
    await call(revertEmail, { body: { token: revertToken } });

    expect((await signIn({ email })).status).toBe(200);
  });
});

describe('a second factor', () => {
  it('is required for a user with two-factor authentication, and links the account', async () => {
    const { email, userId, token } = await newVerifiedAccount();
    const { secret } = await plantTwoFactor(userId);
    const answer = await signIn({ email, sub: '21' });

    expect(answer.status).toBe(401);
    expect(answer.body.code).toBe('TWO_FACTOR_REQUIRED');
    expect(answer.cookies).toEqual([]);
    expect(await get(keys.googleSubject('21'))).toBeUndefined();

    const { challengeToken } = answer.body;
    const body = { challengeToken, code: codeOf(secret) };
    expect((await call(getMe, { token })).status).toBe(200);
    const complete = await call(logInWithTwoFactor, { body });
    expect(complete.status).toBe(200);
    expect(await get(keys.googleSubject('21'))).toMatchObject({ userId });
    expect((await call(getMe, { token })).status).toBe(401);
    expect((await call(getMe, { token: complete.body.authToken })).status).toBe(200);
    expect((await call(logIn, { body: { email, password } })).body.message).toBe(
      'Invalid email or password',
    );
    expect((await mailsTo(email))[0]?.subject).toBe('Your Google account was linked');
  });
});

describe('a user without a password', () => {
  it('cannot sign in with one, and becomes LOCAL after setting one with a reset link', async () => {
    const email = freshEmail();
    await signIn({ email }, signupFields);
    expect((await call(logIn, { body: { email, password } })).status).toBe(401);

    await call(forgotPassword, { body: { email } });
    const token = tokenIn((await mailsTo(email))[0]);
    await call(resetPassword, { body: { token, newPassword: 'another horse battery' } });
    const answer = await call(logIn, { body: { email, password: 'another horse battery' } });

    expect(answer.body.user.authProvider).toBe('LOCAL');
  });
});

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Takes a valid token apart, so that tests can forge variants. */
async function partsOf(person: Person) {
  const idToken = await sandbox.issueGoogleIdToken(person);
  const [header = '', payload = '', signature = ''] = idToken.split('.');

  return {
    header: JSON.parse(Buffer.from(header, 'base64url').toString()),
    payload: JSON.parse(Buffer.from(payload, 'base64url').toString()),
    parts: { header, payload, signature },
  };
}

async function googlePem(): Promise<string> {
  const response = await fetch(String(process.env.GOOGLE_CERTS_URL));
  const { keys: found } = (await response.json()) as { keys: JsonWebKey[] };

  return createPublicKey({ key: found[0] ?? {}, format: 'jwk' })
    .export({ type: 'spki', format: 'pem' })
    .toString();
}

function signWithHmac(header: object, payload: object, secret: string): string {
  const signed = `${encoded(header)}.${encoded(payload)}`;

  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}

function foreignToken(payload: object, kid: string): Promise<string> {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });

  return new SignJWT({ ...payload }).setProtectedHeader({ alg: 'RS256', kid }).sign(privateKey);
}

const forgeries: ReadonlyArray<readonly [string, (email: string) => Promise<string>]> = [
  ['has expired', (email) => sandbox.issueGoogleIdToken({ email, expiresIn: -10 })],
  ['is for another app', (email) => sandbox.issueGoogleIdToken({ email, aud: 'other-app' })],
  [
    'is of another issuer',
    (email) => sandbox.issueGoogleIdToken({ email, iss: 'https://evil.test' }),
  ],
  [
    'has an unverified address',
    (email) => sandbox.issueGoogleIdToken({ email, emailVerified: false }),
  ],
  ['has no address', () => sandbox.issueGoogleIdToken({ email: 'not an address' })],
  [
    'has the algorithm none',
    async (email) => {
      const { header, parts } = await partsOf({ email });

      return `${encoded({ ...header, alg: 'none' })}.${parts.payload}.`;
    },
  ],
  [
    "is signed with HS256 and Google's public key",
    async (email) => {
      const { header, payload } = await partsOf({ email });

      return signWithHmac({ ...header, alg: 'HS256' }, payload, await googlePem());
    },
  ],
  [
    "is signed with another key under Google's key id",
    async (email) => {
      const { header, payload } = await partsOf({ email });

      return foreignToken(payload, header.kid);
    },
  ],
  [
    'has a changed payload',
    async (email) => {
      const { payload, parts } = await partsOf({ email: freshEmail('other') });

      return `${parts.header}.${encoded({ ...payload, email })}.${parts.signature}`;
    },
  ],
  ['is no token', async () => 'garbage'],
];

describe('an ID token', () => {
  it.each(forgeries)('is rejected like any other if it %s', async (_, forge) => {
    const { email } = await newVerifiedAccount();
    const known = await call(signInWithGoogle, { body: { idToken: await forge(email) } });
    const unknown = await call(signInWithGoogle, { body: { idToken: await forge(freshEmail()) } });

    for (const answer of [known, unknown]) {
      expect(answer.status).toBe(401);
      expect(answer.body).toEqual(
        errorBodyOf('GOOGLE_TOKEN_INVALID', 'Invalid or expired Google token'),
      );
    }
  });

  it("accepts both forms of Google's issuer", async () => {
    const { email } = await newVerifiedAccount();

    expect((await signIn({ email, iss: 'accounts.google.com' })).status).toBe(200);
    expect((await signIn({ email, iss: 'https://accounts.google.com' })).status).toBe(200);
  });

  it('is rejected while no client id is configured', async () => {
    const { email } = await newVerifiedAccount();
    delete process.env.GOOGLE_CLIENT_ID;

    expect((await signIn({ email })).status).toBe(401);
  });

  it('counts as a failed sign-in of the IP address only if it is invalid', async () => {
    process.env.LOGIN_LIMIT_PER_IP = '2';
    const { email } = await newVerifiedAccount();
    const ip = freshIp();
    for (let times = 0; times < 3; times += 1) {
      expect((await signIn({ email }, {}, ip)).status).toBe(200);
    }
    await signIn({ email, expiresIn: -10 }, {}, ip);
    await signIn({ email, expiresIn: -10 }, {}, ip);

    expect((await signIn({ email }, {}, ip)).status).toBe(429);
  });
});

describe("Google's keys", () => {
  it('are cached for as long as the headers allow', async () => {
    const { email } = await newVerifiedAccount();
    const startMs = Date.now();
    const before = await keyFetches();
    await Promise.all([signIn({ email }), signIn({ email }), signIn({ email })]);
    setClock(() => startMs + 299 * secondMs);
    await signIn({ email });
    expect(await keyFetches()).toBe(before + 1);

    setClock(() => startMs + 310 * secondMs);
    await signIn({ email });
    expect(await keyFetches()).toBe(before + 2);
  });

  it('are fetched at most once a minute for unknown key ids', async () => {
    const { payload } = await partsOf({ email: freshEmail() });
    const before = await keyFetches();
    const startMs = Date.now();
    setClock(() => startMs);
    const flood = async () => {
      for (let times = 0; times < 3; times += 1) {
        const idToken = await foreignToken(payload, `unknown-${times}-${timestamp()}`);
        expect((await call(signInWithGoogle, { body: { idToken } })).status).toBe(401);
      }
    };
    await flood();
    expect(await keyFetches()).toBe(before + 1);

    setClock(() => startMs + 61 * secondMs);
    await flood();
    expect(await keyFetches()).toBe(before + 2);
  });

  it.each(['down', 'refuse'] as const)('return 502 while Google is %s', async (mode) => {
    await sandbox.addFault({ service: 'google', mode });
    const answer = await signIn({ email: freshEmail() });

    expect([answer.status, answer.body.message]).toEqual([
      502,
      'Google sign-in temporarily unavailable',
    ]);
  });

  it('return 502 if they are unreadable', async () => {
    await sandbox.addFault({ service: 'google', mode: 'error', status: 200, body: '{"keys":1}' });

    expect((await signIn({ email: freshEmail() })).status).toBe(502);
  });
});
