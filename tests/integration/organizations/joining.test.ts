import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { dayMs, minuteMs, setClock } from '#lib/platform/clock.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { forgetGoogleKeys } from '#lib/vendors/google/google-keys.ts';
import {
  deleteMe,
  getMe,
  listConsents,
  logIn,
  logOut,
  requestEmailVerification,
  revertEmail,
  signInWithGoogle,
  signUp,
  updateMe,
} from '#schemas/auth.ts';
import { getBalance, setUpBilling } from '#schemas/billing.ts';
import {
  acceptInvitation,
  createOrganization,
  declineInvitation,
  deleteOrganization,
  getNotificationSettings,
  leaveOrganization,
  listAuditLog,
  listMembers,
  listOrganizations,
  lookUpInvitation,
  revokeInvitation,
  updateMemberRole,
} from '#schemas/organizations.ts';
import { storeWebhook } from '#scripts/fixtures/organization-webhooks.ts';
import { seat } from '#scripts/fixtures/seat.ts';
import { newKey } from '#scripts/fixtures/world.ts';
import {
  freshEmail,
  newAccount,
  newVerifiedAccount,
  password,
  signUpBody,
} from '#tests/support/accounts.ts';
import { type Answer, type CallInput, call, freshIp } from '#tests/support/api.ts';
import { deathsOf, untilDeath, waitForNobody } from '#tests/support/deaths.ts';
import { atOnce } from '#tests/support/depth.ts';
import { runDueWork } from '#tests/support/due-work.ts';
import { mailsTo, sandbox, tokenIn } from '#tests/support/mails.ts';
import { inviteByMail, membershipsOf } from '#tests/support/organizations.ts';
import { receivedEvents } from '#tests/support/received-events.ts';
import { liftRateLimits } from '#tests/support/registry/lift-rate-limits.ts';
import { newWorld } from '#tests/support/registry/world.ts';
import { storedItems } from '#tests/support/table.ts';

waitForNobody();

const names = { firstName: 'Grace', lastName: 'Hopper' };
const addressTaken = {
  status: 409,
  body: {
    message: 'You already have an account. Sign in, then accept the invitation',
    code: 'ACCOUNT_EXISTS',
  },
};
const alreadyAccepted = {
  status: 409,
  body: { message: 'Invitation is already accepted', code: 'WRONG_STATE', state: 'accepted' },
};

let stripeCalls: number;

const stripeCallsSoFar = async () => (await sandbox.requests({ service: 'stripe' })).length;

const ada = await newAccount({ organizationName: 'Compilers' });

beforeEach(async () => {
  forgetGoogleKeys();
  stripeCalls = await stripeCallsSoFar();
});

afterEach(() => {
  liftRateLimits();
});

type Role = 'OWNER' | 'ADMIN' | 'MEMBER' | 'VIEWER';

async function invite(role: Role = 'MEMBER', email = freshEmail('grace'), by = ada) {
  const { id, token } = await inviteByMail(by, by.organizationId, { email, role });

  return { id, email, token };
}

/** Accepts an invitation without credentials. */
function join(token: string, fields: object = {}, options: CallInput = {}): Promise<Answer> {
  return call(acceptInvitation, { body: { token, ...names, password, ...fields }, ...options });
}

type Person = Parameters<typeof sandbox.issueGoogleIdToken>[0];

async function joinWithGoogle(token: string, person: Person): Promise<Answer> {
  const idToken = await sandbox.issueGoogleIdToken(person);

  return call(acceptInvitation, { body: { token, idToken } });
}

async function joined(role: Role = 'MEMBER') {
  const { email, token } = await invite(role);
  const { body } = await join(token);

  return { email, token: body.authToken as string, userId: body.user.id as string };
}

const profilesOf = async (email: string) =>
  (await storedItems('USER#')).filter((item) => item.sk === 'PROFILE' && item.email === email);

const seatsOf = async (userId: string, organizationId = ada.organizationId) =>
  (await membershipsOf(organizationId)).seats.filter((one) => one.startsWith(userId));

describe('joining by an invitation with a password', () => {
  it('creates a verified member who is signed in to the organization', async () => {
    const { email, token } = await invite('ADMIN');
    const { status, body } = await join(token);

    expect([status, body]).toEqual([
      201,
      {
        success: true,
        message: 'Invitation accepted successfully',
        user: {
          id: expect.any(String),
          email,
          ...names,
          authProvider: 'LOCAL',
          createdAt: expect.any(String),
        },
        organization: { id: ada.organizationId, name: 'Compilers', role: 'ADMIN' },
        authToken: expect.any(String),
      },
    ]);
    const me = await call(getMe, { token: body.authToken });
    expect(me.body.user).toMatchObject({
      emailVerified: true,
      organizations: [{ id: ada.organizationId, role: 'ADMIN' }],
      currentOrganization: { id: ada.organizationId },
    });
    expect((await call(logIn, { body: { email, password } })).status).toBe(200);
  });

  it('sets the cookies of a signup, which sign the member in', async () => {
    const { token } = await invite();
    const [joining, signup] = [await join(token), await call(signUp, { body: signUpBody() })];
    const shape = ({ cookies }: Answer) => cookies.map((one) => one.replace(/=[^;]*/, ''));

    expect(shape(joining)).toEqual(shape(signup));
    const cookies = joining.cookies.map((one) => one.split(';')[0] ?? '');
    expect((await call(getMe, { cookies })).body.user.email).toBe(joining.body.user.email);
  });

  it('records the consent to the terms of service', async () => {
    const { token } = await invite();
    const ip = freshIp();
    const { body } = await join(token, {}, { ip });
    const { consents } = (await call(listConsents, { token: body.authToken })).body;

    expect(consents).toMatchObject([{ type: 'TERMS_OF_SERVICE', version: '1.0', ipAddress: ip }]);
  });

  it('is reported like any other acceptance', async () => {
    const host = await newAccount();
    const { receiver } = await storeWebhook(host.organizationId);
    const { email, token } = await invite('VIEWER', freshEmail(), host);
    const { id } = (await join(token)).body.user;
    await runDueWork();
    const params = { organization_id: host.organizationId };
    const audit = await call(listAuditLog, { params, token: host.token });

    expect(await receivedEvents(receiver)).toMatchObject([
      { type: 'member.joined', data: { memberId: id, member: { email, role: 'VIEWER' } } },
    ]);
    expect(audit.body.entries[0]).toMatchObject({ action: 'member.joined', actorId: id });
    expect(await membershipsOf(host.organizationId)).toMatchObject({ memberCount: 2 });
  });

  it('never calls the payment provider, and creates no organization', async () => {
    const organizations = async () =>
      (await storedItems('ORG#')).filter(({ sk }) => sk === keys.organization('').sk).length;
    const before = await organizations();
    await joined();
    await runDueWork();

    expect(await stripeCallsSoFar()).toBe(stripeCalls);
    expect(await organizations()).toBe(before);
    expect(before).toBeGreaterThan(0);
    expect(await storedItems('SIGNUP#')).toEqual([]);
  });

  it('counts another owner', async () => {
    const host = await newAccount();
    const { token } = await invite('OWNER', freshEmail(), host);
    expect((await join(token)).body.organization.role).toBe('OWNER');

    expect(await membershipsOf(host.organizationId)).toMatchObject({ ownerCount: 2, owners: 2 });
  });
});

describe('the order of checks', () => {
  const required = (...fields: readonly string[]) => fields.map((field) => `${field} is required`);
  const three = ['firstName', 'lastName', 'password'];

  it.each([
    ['a token alone', {}, required(...three)],
    ['no password', { ...names }, required('password')],
    ['no token', { token: undefined, ...names }, required('token', 'password')],
    [
      'several mistakes',
      { firstName: ' ', password: 'short' },
      [
        'firstName should not be empty',
        'lastName is required',
        'password must be at least 8 characters',
      ],
    ],
    ['two credentials', { idToken: 'x', password }, ['password cannot be combined with idToken']],
    ['an empty idToken', { idToken: '' }, ['idToken should not be empty']],
    [
      'a common password and a missing name',
      { firstName: 'Grace', password: 'password' },
      ['lastName is required', 'password is too common'],
    ],
  ])('returns 400 for %s, before the token is checked', async (_, fields, message) => {
    const answer = await call(acceptInvitation, { body: { token: 'unknown', ...fields } });

    expect([answer.status, answer.body.message]).toEqual([400, message]);
  });

  it('returns 400 for the name or the invited address as the password', async () => {
    const { email, token } = await invite();
    for (const personal of ['Grace Hopper', email]) {
      const { status, body } = await join(token, { password: personal });

      expect([status, body.message]).toEqual([400, ['password is too common']]);
    }
    expect((await join(token)).status).toBe(201);
  });

  it('returns 404 for an unknown token and a deleted organization', async () => {
    const host = await newAccount();
    const { email, token } = await invite('OWNER', freshEmail(), host);
    const params = { organization_id: host.organizationId };
    await call(deleteOrganization, { params, token: host.token });
    const answers = [await join('unknown'), await join(token)];

    expect(answers.map(({ status }) => status)).toEqual([404, 404]);
    expect(await profilesOf(email)).toEqual([]);
  });

  it('reports that the invitation has ended, before it reports the account', async () => {
    const { token } = await invite();
    await join(token);
    expect(await join(token)).toMatchObject(alreadyAccepted);

    const [declined, expired] = [await newAccount(), await newAccount()];
    const second = await invite('MEMBER', declined.email);
    await call(declineInvitation, { body: { token: second.token }, token: declined.token });
    const third = await invite('MEMBER', expired.email);
    expect((await join(second.token)).body.message).toBe('Invitation is already declined');
    expect(await join(third.token)).toMatchObject(addressTaken);
    setClock(() => Date.now() + 7 * dayMs);
    expect((await join(third.token)).body.message).toBe('Invitation is already expired');
  });
});

describe('invalid credentials', () => {
  it('are rejected, and never treated as missing', async () => {
    const { token } = await invite();
    const ended = await newAccount();
    await call(logOut, { token: ended.token });
    const headers = { origin: 'http://localhost:3000' };

    for (const credentials of [
      { token: 'garbage' },
      { token: ended.token },
      { token: `sl_${'x'.repeat(43)}` },
      { headers: { authorization: '' } },
      { headers, cookies: [`__Host-auth_token=${ended.token}`] },
    ]) {
      const answer = await join(token, {}, credentials);
      expect([answer.status, answer.body.code]).toEqual([401, 'SESSION_INVALID']);
    }
    expect((await join(token)).status).toBe(201);
  });

  it('in the cookie are removed, so that the browser can join', async () => {
    const ended = await newAccount();
    await call(logOut, { token: ended.token });
    const { token } = await invite();
    const cookies = [`__Host-auth_token=${ended.token}`];
    const { cookies: set } = await join(
      token,
      {},
      {
        headers: { origin: 'http://localhost:3000' },
        cookies,
      },
    );

    expect(set).toEqual([expect.stringMatching(/^__Host-auth_token=; Max-Age=0;/)]);
    expect((await join(token, {}, { token: ended.token })).cookies).toEqual([]);
  });

  it('of an API key are rejected, because a person is required', async () => {
    const { key } = await newKey(await newWorld(), 'ADMIN');
    const { token } = await invite();

    expect(await join(token, {}, { token: key })).toMatchObject({
      status: 403,
      body: { code: 'PERSON_REQUIRED' },
    });
  });

  it('do not matter for a signed-in person, who accepts the invitation', async () => {
    const grace = await newAccount();
    const { token } = await invite('MEMBER', grace.email);
    const answer = await join(token, { firstName: 'Somebody' }, { token: grace.token });

    expect(answer.status).toBe(200);
    expect(answer.cookies).toEqual([]);
    expect((await call(getMe, { token: grace.token })).body.user.firstName).toBe('Ada');
  });
});

describe('limits', () => {
  it('are the limits of signups, and do not apply to people who are signed in', async () => {
    process.env.SIGNUP_LIMIT_PER_IP = '1';
    const ip = freshIp();
    const [first, second] = [await invite(), await invite()];
    const grace = await newAccount();
    const own = await invite('MEMBER', grace.email);

    const answers = [
      await join(first.token, {}, { ip }),
      await join(second.token, {}, { ip }),
      await join(own.token, {}, { ip, token: grace.token }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([201, 429, 200]);
    expect(answers[1]?.headers['ratelimit-policy']).toBe('"signup";q=1;w=3600');
  });
});

describe('an Idempotency-Key', () => {
  const headers = { 'idempotency-key': 'join' };

  it('belongs to the token and the IP address', async () => {
    const ip = freshIp();
    const [one, other] = [await invite(), await invite()];
    const first = await join(one.token, {}, { ip, headers });

    expect(await join(one.token, {}, { ip, headers })).toMatchObject({
      status: 201,
      body: first.body,
      cookies: first.cookies,
      headers: { 'idempotent-replayed': 'true' },
    });
    expect((await join(one.token, { firstName: 'X' }, { ip, headers })).status).toBe(422);
    expect(await join(one.token, {}, { headers })).toMatchObject(alreadyAccepted);
    expect((await join(other.token, {}, { ip, headers })).body.user.email).toBe(other.email);
  });
});

describe('joining with Google', () => {
  it('creates a verified user who signs in with Google', async () => {
    const { email, token } = await invite();
    const person = { email, givenName: 'Grace', familyName: 'Hopper' };
    const { status, body } = await joinWithGoogle(token, person);

    expect([status, body.user]).toMatchObject([201, { email, ...names, authProvider: 'GOOGLE' }]);
    const idToken = await sandbox.issueGoogleIdToken(person);
    const again = await call(signInWithGoogle, { body: { idToken } });
    expect(again.body).toMatchObject({
      user: { id: body.user.id },
      organizations: [{ id: ada.organizationId }],
    });
    expect(await stripeCallsSoFar()).toBe(stripeCalls);
  });

  it('returns 403 for the address of another Google account', async () => {
    const { email, token } = await invite();

    expect(await joinWithGoogle(token, { email: freshEmail() })).toMatchObject({
      status: 403,
      body: {
        message: 'This invitation was sent to another email address',
        code: 'INVITATION_ADDRESS_MISMATCH',
      },
    });
    expect((await joinWithGoogle(token, { email })).status).toBe(201);
  });

  it('returns 409 if a user already has the address or the Google account', async () => {
    const { email } = await newAccount();
    const ofAddress = await invite('MEMBER', email);
    const moved = await invite();
    const { body } = await joinWithGoogle(moved.token, { email: moved.email });
    await call(updateMe, { token: body.authToken, body: { email: freshEmail('new') } });
    await invite('MEMBER', moved.email);
    const mails = await mailsTo(moved.email);
    const latest = tokenIn(mails.find(({ text }) => text?.includes('/invitations/')));

    expect(await joinWithGoogle(ofAddress.token, { email })).toMatchObject(addressTaken);
    expect(await joinWithGoogle(latest, { email: moved.email })).toMatchObject(addressTaken);
    expect((await join(latest)).status).toBe(201);
  });

  it('returns 401 for an invalid token, and 502 without the keys of Google', async () => {
    const { email, token } = await invite();
    const expired = await joinWithGoogle(token, { email, expiresIn: -1 });
    const garbage = await call(acceptInvitation, { body: { token, idToken: 'garbage' } });
    expect([expired, garbage]).toMatchObject([
      { status: 401, body: { message: 'Invalid or expired Google token' } },
      { status: 401 },
    ]);

    forgetGoogleKeys();
    await sandbox.addFault({ service: 'google', mode: 'down' });
    expect(await joinWithGoogle(token, { email })).toMatchObject({ status: 502 });
    await sandbox.clearFaults();
    expect((await joinWithGoogle(token, { email })).status).toBe(201);
  });
});

describe('an address that is reserved for its former user', () => {
  async function reserved() {
    const former = await newVerifiedAccount();
    const { email, token } = former;
    await call(updateMe, { token, body: { email: freshEmail('new') } });
    const link = tokenIn((await mailsTo(email))[0]);
    await invite('MEMBER', email);
    const mail = (await mailsTo(email)).find(({ text }) => text?.includes('/invitations/'));

    return { former, email, link, token: tokenIn(mail) };
  }

  it.each(['password', 'Google'])(
    'is given to the invited person immediately, who joins with %s',
    async (way) => {
      const { former, email, link, token } = await reserved();
      const answer =
        way === 'password' ? await join(token) : await joinWithGoogle(token, { email });

      expect(answer.status).toBe(201);
      expect((await call(revertEmail, { body: { token: link } })).status).toBe(400);
      const takenBack = await call(updateMe, { token: former.token, body: { email } });
      expect(takenBack.status).toBe(409);
    },
  );

  it('is given to either its former user or the invited person if both request it concurrently', async () => {
    const { former, email, link, token } = await reserved();
    const [joining, reverted] = await Promise.all([
      join(token),
      call(revertEmail, { body: { token: link } }),
    ]);

    // The link is rejected before its write (400) or by it (409).
    expect(['201 400', '201 409', '409 200']).toContain(`${joining.status} ${reverted.status}`);
    const owner = joining.status === 201 ? joining.body.user.id : former.userId;
    expect(await profilesOf(email)).toMatchObject([{ userId: owner }]);
  });
});

describe('concurrent requests', () => {
  it('with the same token create one user and one membership', async () => {
    const host = await newAccount();
    const { email, token } = await invite('MEMBER', freshEmail(), host);
    const many = atOnce(20);
    const answers = await Promise.all(
      Array.from({ length: many }, (_, index) =>
        index % 4 === 0 ? joinWithGoogle(token, { email }) : join(token),
      ),
    );
    const made = answers.filter(({ status }) => status === 201);
    const others = answers.filter(({ status }) => status !== 201);

    expect(made).toHaveLength(1);
    expect(new Set(others.map(({ status }) => status))).toEqual(new Set([409]));
    expect(others.map(({ body }) => body.code)).toContain('WRONG_STATE');
    expect(await profilesOf(email)).toMatchObject([{ userId: made[0]?.body.user.id }]);
    expect(await membershipsOf(host.organizationId)).toMatchObject({
      seats: [`${host.userId} OWNER`, `${made[0]?.body.user.id} MEMBER`].toSorted(),
      memberCount: 2,
    });
  });

  it('with invitations from two organizations create one user, who can accept the other', async () => {
    const email = freshEmail();
    const [one, other] = [
      await invite('MEMBER', email),
      await invite('VIEWER', email, await newAccount()),
    ];
    const answers = await Promise.all([join(one.token), join(other.token)]);
    const failed = answers.findIndex(({ status }) => status !== 201);

    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect(answers[failed]).toMatchObject(addressTaken);
    const token = answers[1 - failed]?.body.authToken;
    const left = failed === 0 ? one.token : other.token;
    expect((await call(acceptInvitation, { body: { token: left }, token })).status).toBe(200);
    expect(await profilesOf(email)).toHaveLength(1);
  });

  it('to join and to sign up with the address create one user', async () => {
    const { email, token } = await invite();
    const [joining, signup] = await Promise.all([
      join(token),
      call(signUp, { body: signUpBody({ email }) }),
    ]);

    expect([joining.status, signup.status].sort()).toEqual([201, 409]);
    expect(await profilesOf(email)).toHaveLength(1);
  });

  it('to join and to delete the organization leave no membership', async () => {
    const host = await newAccount();
    const { email, token } = await invite('MEMBER', freshEmail(), host);
    const params = { organization_id: host.organizationId };
    const [joining, deleted] = await Promise.all([
      join(token),
      call(deleteOrganization, { params, token: host.token }),
    ]);
    const profiles = await profilesOf(email);

    expect([201, 404]).toContain(joining.status);
    expect(deleted.status).toBe(200);
    expect(profiles).toHaveLength(joining.status === 201 ? 1 : 0);
    expect(await membershipsOf(host.organizationId)).toMatchObject({
      seats: [],
      mirroredSeats: [],
    });
  });

  it('to join and to revoke the invitation end it only once', async () => {
    const { id, email, token } = await invite();
    const params = { organization_id: ada.organizationId, invitation_id: id };
    const [joining, revoked] = await Promise.all([
      join(token),
      call(revokeInvitation, { params, token: ada.token }),
    ]);

    expect([
      [201, 409],
      [409, 200],
    ]).toContainEqual([joining.status, revoked.status]);
    expect(await profilesOf(email)).toHaveLength(joining.status === 201 ? 1 : 0);
  });
});

describe('a crash', () => {
  it('around any write results in either nothing, or a member who can sign in', async () => {
    const host = await newAccount();
    const { receiver } = await storeWebhook(host.organizationId);
    stripeCalls = await stripeCallsSoFar();
    const first = await invite('MEMBER', freshEmail(), host);
    const undisturbed = await untilDeath({ at: 'its answer' }, () => join(first.token));
    expect(undisturbed.result?.status).toBe(201);
    const deaths = deathsOf(undisturbed.writes);

    for (const death of deaths) {
      const { email, token } = await invite('MEMBER', freshEmail(), host);
      const { hasDied } = await untilDeath(death, () => join(token));
      const retried = await join(token);
      const signedIn = await call(logIn, { body: { email, password } });

      expect(hasDied, JSON.stringify(death)).toBe(true);
      expect(retried.status, JSON.stringify(death)).toBe(
        'when' in death && death.when === 'before' ? 201 : 409,
      );
      expect(signedIn.body.organizations).toMatchObject([{ id: host.organizationId }]);
      expect(await profilesOf(email)).toHaveLength(1);
    }
    setClock(() => Date.now() + 10 * minuteMs);
    await runDueWork();
    const events = await receivedEvents(receiver);
    expect(events.filter(({ type }) => type === 'member.joined')).toHaveLength(1 + deaths.length);
    expect(await stripeCallsSoFar()).toBe(stripeCalls);
  });

  it('can be repeated with its Idempotency-Key as if it had not happened', async () => {
    const headers = { 'idempotency-key': 'crash' };
    const { token: first } = await invite();
    const { writes } = await untilDeath({ at: 'its answer' }, () => join(first, {}, { headers }));

    for (const death of [{ at: 'its answer' } as const, ...deathsOf(writes)]) {
      const { email, token } = await invite();
      const options = { headers, ip: freshIp() };
      const crashed = await untilDeath(death, () => join(token, {}, options));
      await crashed.setFree();
      const retried = await join(token, {}, options);

      expect(crashed.hasDied, JSON.stringify(death)).toBe(true);
      expect(retried.status, JSON.stringify(death)).toBe(201);
      const me = await call(getMe, { token: retried.body.authToken });
      expect(me.body.user).toMatchObject({ id: retried.body.user.id, email });
      expect(await profilesOf(email)).toHaveLength(1);
      expect(await seatsOf(retried.body.user.id)).toHaveLength(1);
    }
  });
});

describe('a user who joined', () => {
  it('has no organization after leaving, and can create one without billing', async () => {
    const grace = await joined();
    await call(leaveOrganization, {
      params: { organization_id: ada.organizationId },
      token: grace.token,
    });
    const me = await call(getMe, { token: grace.token });
    expect(me.body.user).toMatchObject({ organizations: [], currentOrganization: null });
    expect((await call(getBalance, { token: grace.token })).status).toBe(404);

    const created = await call(createOrganization, {
      token: grace.token,
      body: { name: 'Own engines' },
    });
    expect(created.status).toBe(201);
    expect((await call(getBalance, { token: grace.token })).body.message).toBe(
      'Billing setup must be completed first',
    );
    const set = await call(setUpBilling, {
      token: grace.token,
      body: { email: grace.email, name: 'Own engines' },
    });
    expect(set.status).toBe(201);
    expect((await call(getBalance, { token: grace.token })).status).toBe(200);
    expect((await call(listOrganizations, { token: grace.token })).body.total).toBe(1);
  });

  it('uses the billing of the organization once the role allows it', async () => {
    const grace = await joined('MEMBER');
    expect((await call(getBalance, { token: grace.token })).status).toBe(403);
    await call(updateMemberRole, {
      params: { organization_id: ada.organizationId, user_id: grace.userId },
      token: ada.token,
      body: { role: 'ADMIN' },
    });

    expect((await call(getBalance, { token: grace.token })).status).toBe(200);
  });

  it('has the notification settings of the role', async () => {
    const grace = await joined('ADMIN');
    const params = { organization_id: ada.organizationId };
    const alan = await newAccount();
    await seat(ada.organizationId, alan.userId, 'ADMIN');
    const [own, others] = await Promise.all(
      [grace.token, alan.token].map((token) => call(getNotificationSettings, { params, token })),
    );

    expect(own?.body).toEqual(others?.body);
  });

  it('needs no verification mail until the address changes', async () => {
    const grace = await joined();
    await call(requestEmailVerification, { token: grace.token, body: {} });
    expect(await mailsTo(grace.email)).toHaveLength(1);

    const changed = freshEmail('new');
    await call(updateMe, { token: grace.token, body: { email: changed } });
    expect((await mailsTo(changed))[0]?.text).toContain('/email/verify?token=');
    expect((await mailsTo(grace.email))[0]?.text).toContain('/email/revert?token=');
  });

  it.each(['password', 'Google'])('can delete the account, with %s', async (way) => {
    const { email, token } = await invite();
    const google = () => sandbox.issueGoogleIdToken({ email });
    const { body } =
      way === 'password' ? await join(token) : await joinWithGoogle(token, { email });
    const proof = way === 'password' ? { password } : { idToken: await google() };
    const answer = await call(deleteMe, { token: body.authToken, body: proof });
    await runDueWork();

    expect(answer.status).toBe(200);
    expect(await storedItems(`USER#${body.user.id}`)).toEqual([]);
    expect(await seatsOf(body.user.id)).toEqual([]);
    const again = await invite('MEMBER', email);
    expect((await join(again.token)).status).toBe(201);
    expect(await stripeCallsSoFar()).toBe(stripeCalls);
  });

  it('is listed as a member, and the lookup of the used token shows it', async () => {
    const { email, token } = await invite();
    await join(token);
    const params = { organization_id: ada.organizationId };
    const { members } = (await call(listMembers, { params, token: ada.token })).body;
    const looked = await call(lookUpInvitation, { body: { token } });

    expect(members.map((one: { email: string }) => one.email)).toContain(email);
    expect(looked.body).toMatchObject({ invitation: { status: 'accepted' }, hasAccount: true });
  });
});
