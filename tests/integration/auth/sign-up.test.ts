import { describe, expect, it, vi } from 'vitest';
import { hourMs } from '#lib/platform/clock.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { get } from '#lib/platform/db/read.ts';
import { getMe, listConsents, logIn, revertEmail, signUp, updateMe } from '#schemas/auth.ts';
import { maxLength } from '#schemas/common.ts';
import { inviteMember, listMembers } from '#schemas/organizations.ts';
import {
  freshEmail,
  newAccount,
  newVerifiedAccount,
  password,
  signUpBody,
} from '#tests/support/accounts.ts';
import { call, freshIp } from '#tests/support/api.ts';
import { atOnce } from '#tests/support/depth.ts';
import { mailsTo, sandbox, tokenIn } from '#tests/support/mails.ts';
import { customersOf, provider, refuseAddress } from '#tests/support/provider.ts';
import { lastingItems, storedItems } from '#tests/support/table.ts';
import { passTime, stopClock } from '#tests/support/time.ts';

/** The Kelvin sign, whose lowercase form is the letter k. */
const kelvinSign = '\u212a';

function randomCase(text: string): string {
  return [...text].map((letter) => (Math.random() < 0.5 ? letter.toUpperCase() : letter)).join('');
}

describe('signing up', () => {
  it('returns the user, the organization and a token that works immediately', async () => {
    const body = signUpBody();
    const answer = await call(signUp, { body });

    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({
      success: true,
      user: {
        email: body.email,
        firstName: 'Ada',
        lastName: 'Lovelace',
        authProvider: 'LOCAL',
      },
      organization: { name: 'Analytical Engines' },
      message: 'User registered successfully',
    });
    const me = await call(getMe, { token: answer.body.authToken });
    expect(me.body.user).toMatchObject({
      id: answer.body.user.id,
      emailVerified: false,
      organizations: [{ id: answer.body.organization.id, role: 'OWNER' }],
      currentOrganization: {
        id: answer.body.organization.id,
        name: 'Analytical Engines',
        role: 'OWNER',
      },
    });
  });

  it('sets the auth cookie with exactly the documented attributes', async () => {
    const answer = await call(signUp, { body: signUpBody() });

    expect(answer.cookies).toHaveLength(2);
    expect(answer.cookies[1]).toMatch(/^__Host-known_device=/);
    const [pair, ...attributes] = String(answer.cookies[0]).split('; ');
    expect(pair).toBe(`__Host-auth_token=${answer.body.authToken}`);
    expect(attributes.sort()).toEqual(
      ['HttpOnly', 'Max-Age=604800', 'Partitioned', 'Path=/', 'SameSite=None', 'Secure'].sort(),
    );
    expect(Buffer.byteLength(String(answer.cookies[0]))).toBeLessThanOrEqual(4096);
  });

  it.each(['password', 'QWERTYUIOP', '12345678', '        ', 'pass\u200Bword', 'Ada Lovelace'])(
    'rejects the common or personal password %j and leaves nothing behind',
    async (common) => {
      const before = await lastingItems();
      const answer = await call(signUp, { body: signUpBody({ password: common }) });

      expect([answer.status, answer.body.message]).toEqual([400, ['password is too common']]);
      expect(await lastingItems()).toEqual(before);
    },
  );

  it('creates one customer with the card as its default and stores it with the organization', async () => {
    const { email, organizationId } = await newAccount();

    const customers = await customersOf(email);
    expect(customers).toHaveLength(1);
    const [customer] = customers;
    const methods = await provider.paymentMethods.list({ customer: String(customer?.id) });
    expect(methods.data).toHaveLength(1);
    expect(customer?.invoice_settings.default_payment_method).toBe(methods.data[0]?.id);
    const items = await storedItems(`ORG#${organizationId}`);
    expect(items.find(({ sk }) => sk === 'BILLING')).toMatchObject({
      customerId: customer?.id,
      billingEmail: email,
    });
  });

  it('accepts names of the maximum length, which the provider truncates', async () => {
    const organizationName = 'O'.repeat(maxLength.name);
    const firstName = 'F'.repeat(maxLength.name);
    const lastName = '🗝'.repeat(maxLength.name / 2);
    const body = signUpBody({ organizationName, firstName, lastName });
    const answer = await call(signUp, { body });

    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({
      user: { firstName, lastName },
      organization: { name: organizationName },
    });
    const kept = `${organizationName} (${firstName} ${'🗝'.repeat(26)}`;
    expect(await customersOf(body.email)).toMatchObject([{ name: kept }]);
  });

  it('stores a bcrypt hash and never stores or returns the password', async () => {
    const planted = 'pl4nted-Passw0rd-of-signup';
    const body = signUpBody({ password: planted });
    const answer = await call(signUp, { body });

    const stored = await lastingItems();
    const profile = stored.find(
      ({ pk, sk }) => pk === `USER#${answer.body.user.id}` && sk === 'PROFILE',
    );
    expect(profile?.passwordHash).toMatch(/^\$2[aby]\$04\$.{53}$/);
    expect(JSON.stringify(stored)).not.toContain(planted);
    expect(JSON.stringify(answer)).not.toContain(planted);
    expect(JSON.stringify(answer)).not.toContain('$2');
  });

  it('records the consent to the terms with the IP address and user agent', async () => {
    const ip = '203.0.113.7';
    const headers = { 'user-agent': 'engine/1.0' };
    const signedUp = await call(signUp, { body: signUpBody(), ip, headers });

    const { body } = await call(listConsents, { token: signedUp.body.authToken });
    expect(body.consents).toEqual([
      expect.objectContaining({
        type: 'TERMS_OF_SERVICE',
        ipAddress: ip,
        userAgent: 'engine/1.0',
      }),
    ]);
  });

  it('deletes the attempt once the account is stored', async () => {
    await newAccount();

    expect(await storedItems('SIGNUP#')).toEqual([]);
  });

  it('stores the address trimmed and lower-cased, so that any spelling signs in', async () => {
    const email = freshEmail('Grace');
    const answer = await call(signUp, { body: signUpBody({ email: ` ${email.toUpperCase()} ` }) });

    expect(answer.body.user.email).toBe(email.toLowerCase());
    const signedIn = await call(logIn, { body: { email: randomCase(email), password } });
    expect(signedIn.status).toBe(200);
  });

  it.each([
    ['8 characters', 'x'.repeat(8)],
    ['72 bytes of ASCII', 'x'.repeat(72)],
    ['72 bytes in 24 characters', '€'.repeat(24)],
    ['72 bytes of emoji', `${'🗝️'.repeat(10)}xx`],
  ])('accepts a password of %s and verifies it exactly', async (_, secret) => {
    const { email } = await newAccount({ password: secret });

    expect((await call(logIn, { body: { email, password: secret } })).status).toBe(200);
    const shorter = secret.slice(0, -1);
    expect((await call(logIn, { body: { email, password: shorter } })).status).toBe(401);
    expect((await call(logIn, { body: { email, password: `${secret}x` } })).status).toBe(401);
  });

  it("also joins the invitation's organization and marks the address as verified", async () => {
    const inviter = await newAccount();
    const email = freshEmail('invited');
    const params = { organization_id: inviter.organizationId };
    await call(inviteMember, { params, body: { email, role: 'ADMIN' }, token: inviter.token });
    const [mail] = await mailsTo(email);

    const invitationToken = tokenIn(mail);
    const answer = await call(signUp, { body: signUpBody({ email, invitationToken }) });

    const me = await call(getMe, { token: answer.body.authToken });
    expect(me.body.user.emailVerified).toBe(true);
    expect(me.body.user.currentOrganization.id).toBe(answer.body.organization.id);
    expect(me.body.user.organizations).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ id: inviter.organizationId, role: 'ADMIN' }),
        expect.objectContaining({ id: answer.body.organization.id, role: 'OWNER' }),
      ]),
    );
    const members = await call(listMembers, { params, token: inviter.token });
    expect(members.body.total).toBe(2);
  });

  it('gets an address that is reserved for its former user only with an invitation', async () => {
    const [former, inviter] = [await newVerifiedAccount(), await newAccount()];
    const { email } = former;
    await call(updateMe, { token: former.token, body: { email: freshEmail('new') } });
    const link = tokenIn((await mailsTo(email))[0]);
    const params = { organization_id: inviter.organizationId };
    await call(inviteMember, { params, body: { email, role: 'VIEWER' }, token: inviter.token });
    const invitation = (await mailsTo(email)).find(({ text }) => text?.includes('/invitations/'));
    const signUpWith = (invitationToken?: string) =>
      call(signUp, { body: signUpBody({ email, invitationToken }) });

    expect((await signUpWith()).status).toBe(409);
    expect((await signUpWith('nonsense')).status).toBe(400);
    expect((await signUpWith(tokenIn(invitation))).status).toBe(201);
    expect((await call(revertEmail, { body: { token: link } })).status).toBe(400);
    expect((await call(logIn, { body: { email, password } })).status).toBe(200);
  });
});

describe('failures', () => {
  it('returns 409 for a taken address in another case, with spaces or in another Unicode form', async () => {
    const { email } = await newAccount({ email: freshEmail('kate') });
    const spellings = [
      email,
      email.toUpperCase(),
      `  ${randomCase(email)}\t`,
      email.replace('k', kelvinSign),
    ];

    for (const spelling of spellings) {
      const answer = await call(signUp, { body: signUpBody({ email: spelling }) });
      expect(answer.status).toBe(409);
      expect(answer.body.message).toBe('User with this email already exists');
      expect(answer.cookies).toEqual([]);
    }
    expect(await customersOf(email)).toHaveLength(1);
  });

  it('reports why the provider declined the card and leaves nothing behind', async () => {
    const before = await lastingItems();
    const body = signUpBody({ paymentMethodId: 'pm_card_chargeDeclined' });
    const answer = await call(signUp, { body });

    expect(answer.status).toBe(400);
    expect(answer.body.message).toBe('Your card was declined.');
    expect(await lastingItems()).toEqual(before);
    expect(await customersOf(body.email)).toEqual([]);
    const retried = await call(signUp, { body: { ...body, paymentMethodId: 'pm_card_visa' } });
    expect(retried.status).toBe(201);
  });

  it('reports paymentMethodId when the provider does not know it', async () => {
    const before = await lastingItems();
    const body = signUpBody({ paymentMethodId: 'pm_1NoSuchMethod' });
    const answer = await call(signUp, { body });

    expect(answer.status).toBe(400);
    expect(answer.body.message).toEqual([expect.stringMatching(/^paymentMethodId /)]);
    expect(await lastingItems()).toEqual(before);
    expect(await customersOf(body.email)).toEqual([]);
  });

  it('reports email when the provider rejects the address, and leaves nothing behind', async () => {
    const before = await lastingItems();
    const body = signUpBody({ email: freshEmail('payment-method') });
    await refuseAddress(body.email);
    const answer = await call(signUp, { body });

    expect(answer.status).toBe(400);
    expect(answer.body.message).toEqual([
      'email must be an address that the payment provider accepts',
    ]);
    expect(await lastingItems()).toEqual(before);
    expect(await customersOf(body.email)).toEqual([]);
  });

  it.each([
    ['7 characters', 'x'.repeat(7), 'password must be at least 8 characters'],
    ['73 bytes of ASCII', 'x'.repeat(73), /^password must/],
    [
      '73 bytes in 25 characters',
      `${'€'.repeat(24)}x`,
      'password must not be longer than 72 bytes',
    ],
    ['75 bytes in 25 characters', '€'.repeat(25), 'password must not be longer than 72 bytes'],
  ])('rejects a password of %s instead of truncating it', async (_, secret, message) => {
    const answer = await call(signUp, { body: signUpBody({ password: secret }) });

    expect(answer.status).toBe(400);
    expect(answer.body.message).toHaveLength(1);
    expect(answer.body.message[0]).toMatch(message);
  });

  it.each(['Mars/Olympus', 'Europe/Berlin; DROP', '25:00'])(
    'rejects the invalid time zone %s',
    async (timezone) => {
      const answer = await call(signUp, { body: signUpBody({ timezone }) });

      expect(answer.status).toBe(400);
      expect(answer.body.message).toEqual(['timezone must be a valid time zone name']);
    },
  );

  it('uses UTC without a time zone, for the user and the organization', async () => {
    const { timezone: _, ...body } = signUpBody();
    const { status, body: made } = await call(signUp, { body });

    expect(status).toBe(201);
    const [user, organization] = await Promise.all([
      get<{ timezone: string }>(keys.user(made.user.id)),
      get<{ timezone: string }>(keys.organization(made.organization.id)),
    ]);
    expect([user?.timezone, organization?.timezone]).toEqual(['UTC', 'UTC']);
  });

  it('rejects an invitation that is unknown or for another address', async () => {
    const inviter = await newAccount();
    const invited = freshEmail('invited');
    await call(inviteMember, {
      params: { organization_id: inviter.organizationId },
      body: { email: invited, role: 'MEMBER' },
      token: inviter.token,
    });
    const [mail] = await mailsTo(invited);

    for (const invitationToken of ['nonsense', tokenIn(mail)]) {
      const body = signUpBody({ invitationToken });
      const answer = await call(signUp, { body });
      expect(answer.status).toBe(400);
      expect(answer.body.message).toEqual([expect.stringMatching(/^invitationToken /)]);
      expect(await customersOf(body.email)).toEqual([]);
    }
    const rightly = signUpBody({ email: invited, invitationToken: tokenIn(mail) });
    expect((await call(signUp, { body: rightly })).status).toBe(201);
  });

  it.each([
    ['composed', '\u00e9'],
    ['decomposed', 'e\u0301'],
    ['full-width', '\uff45'],
  ])('rejects an address with a letter that is %s', async (_, letter) => {
    const answer = await call(signUp, { body: signUpBody({ email: freshEmail(letter) }) });

    expect(answer.status).toBe(400);
    expect(answer.body.message).toEqual(['email must be an email']);
  });

  it('creates one user, organization and customer for concurrent signups with one address', async () => {
    const email = freshEmail('kate');
    const organizationName = `Engines of ${email}`;
    const many = atOnce(50);
    const answers = await Promise.all(
      Array.from({ length: many }, (_, index) => {
        const spelling = index % 3 === 0 ? email.replace('k', kelvinSign) : randomCase(email);

        return call(signUp, { body: signUpBody({ email: spelling, organizationName }) });
      }),
    );

    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 201)).toHaveLength(1);
    expect(statuses.filter((status) => status === 409)).toHaveLength(many - 1);
    expect(await customersOf(email)).toHaveLength(1);
    expect(await storedItems('SIGNUP#')).toEqual([]);
    const stored = await lastingItems();
    const users = stored.filter((item) => item.email === email && item.sk === 'PROFILE');
    expect(users).toHaveLength(1);
    expect(stored.filter(({ name }) => name === organizationName)).toHaveLength(1);
  });
});

describe('rate limit', () => {
  it('allows 20 signups an hour from one IP address and reports how many remain', async () => {
    stopClock();
    const ip = freshIp();
    const declined = () =>
      call(signUp, { ip, body: signUpBody({ paymentMethodId: 'pm_card_chargeDeclined' }) });
    process.env.SIGNUP_LIMIT_PER_IP = '20';
    try {
      for (let used = 1; used <= 20; used += 1) {
        const answer = await declined();
        expect(answer.status).toBe(400);
        expect(answer.headers['ratelimit-policy']).toBe('"signup";q=20;w=3600');
        expect(answer.headers.ratelimit).toBe(`"signup";r=${20 - used};t=3600`);
      }
      const refused = await declined();
      expect(refused.status).toBe(429);
      expect(refused.headers['retry-after']).toBe('3600');
      expect((await call(signUp, { body: signUpBody() })).status).toBe(201);
      passTime(hourMs);
      expect((await declined()).status).toBe(400);
    } finally {
      process.env.SIGNUP_LIMIT_PER_IP = '100000';
    }
  });
});

describe('a burst of signups in one process', () => {
  it('does not let calls to the provider time out while passwords are hashed', async () => {
    const callsToProvider = async () => (await sandbox.requests({ service: 'stripe' })).length;
    const signUpOnce = () => call(signUp, { body: signUpBody(), ip: freshIp() });
    vi.stubEnv('PAYMENT_TIMEOUT_MS', '1000');
    vi.stubEnv('BCRYPT_COST', '10');
    const before = await callsToProvider();
    await signUpOnce();
    const each = (await callsToProvider()) - before;
    const answers = await Promise.all(Array.from({ length: 20 }, signUpOnce));
    vi.unstubAllEnvs();

    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(201));
    expect((await callsToProvider()) - before).toBe(21 * each);
  });
});

describe('idempotency', () => {
  const headers = { 'idempotency-key': 'signup-1' };

  it('replays the first response byte for byte, including the cookie', async () => {
    const request = { body: signUpBody(), ip: freshIp(), headers };
    const first = await call(signUp, request);
    const second = await call(signUp, request);

    expect(first.headers['idempotent-replayed']).toBeUndefined();
    expect(second.headers['idempotent-replayed']).toBe('true');
    expect(JSON.stringify(second.body)).toBe(JSON.stringify(first.body));
    expect(second.status).toBe(201);
    expect(second.cookies).toEqual(first.cookies);
    expect(await customersOf(request.body.email)).toHaveLength(1);
  });

  it('creates one account for 20 concurrent requests and replays or returns 409 to the others', async () => {
    const request = { body: signUpBody(), ip: freshIp(), headers };
    const answers = await Promise.all(Array.from({ length: 20 }, () => call(signUp, request)));

    const made = answers.filter(({ status }) => status === 201);
    const waiting = answers.filter(({ status }) => status === 409);
    expect(made.length + waiting.length).toBe(20);
    expect(made.filter((answer) => !answer.headers['idempotent-replayed'])).toHaveLength(1);
    expect(new Set(made.map(({ body }) => body.user.id)).size).toBe(1);
    expect(new Set(waiting.map(({ body }) => body.message))).toEqual(
      new Set(['A request with this Idempotency-Key is still being processed']),
    );
    expect(await customersOf(request.body.email)).toHaveLength(1);
    const replayed = await Promise.all(Array.from({ length: 20 }, () => call(signUp, request)));
    expect(replayed.map(({ body }) => body.user?.id)).toEqual(
      Array.from({ length: 20 }, () => made[0]?.body.user.id),
    );
  });

  it('stores no plaintext token for the replay', async () => {
    const { body } = await call(signUp, { body: signUpBody(), headers });
    const kept = JSON.stringify(await storedItems('IDEMPOTENCY#'));

    expect(kept).not.toContain(body.authToken);
    expect(kept).not.toContain(body.user.email);
  });
});
