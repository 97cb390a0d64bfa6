import { beforeEach, describe, expect, it } from 'vitest';
import { keys } from '#lib/platform/db/keys.ts';
import { get } from '#lib/platform/db/read.ts';
import { createApiKey, listApiKeys } from '#schemas/api-keys.ts';
import {
  deleteMe,
  getMe,
  logIn,
  resetPassword,
  revertEmail,
  signInWithGoogle,
  signUp,
  updateMe,
} from '#schemas/auth.ts';
import {
  getOrganization,
  inviteMember,
  listAuditLog,
  listInvitations,
  listMembers,
  listOrganizations,
} from '#schemas/organizations.ts';
import { codeOf, plantTwoFactor, wrongCodeOf } from '#scripts/fixtures/two-factor.ts';
import {
  type Account,
  freshEmail,
  newAccount,
  newMember,
  newVerifiedAccount,
  password,
  signUpBody,
} from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { mailsTo, sandbox, tokenIn } from '#tests/support/mails.ts';
import { removeDeleted } from '#tests/support/removal.ts';
import { storedItems } from '#tests/support/table.ts';
import { drainWork } from '#tests/support/work.ts';

beforeEach(() => sandbox.clearFaults());
const remove = (token: string, body: object = { password }) => call(deleteMe, { token, body });
const pathOf = ({ organizationId }: Account) => ({ organization_id: organizationId });
const itemsOf = ({ userId }: { userId: string }) => storedItems(`USER#${userId}`);

async function newGoogleAccount() {
  const email = freshEmail();
  const idToken = await sandbox.issueGoogleIdToken({ email });
  const { body } = await call(signInWithGoogle, {
    body: { idToken, organizationName: 'Engines', paymentMethodId: 'pm_card_visa' },
  });

  return { email, idToken, token: String(body.authToken), userId: String(body.user.id) };
}

describe('deleting an account', () => {
  it('ends all sessions, clears the cookie, and frees the address immediately', async () => {
    const account = await newAccount();
    const { email } = account;
    const { body: login } = await call(logIn, { body: { email, password } });
    const { status, cookies } = await remove(account.token);

    expect(status).toBe(200);
    expect(cookies).toEqual([expect.stringMatching(/^__Host-auth_token=; Max-Age=0;/)]);
    for (const token of [account.token, login.authToken]) {
      expect((await call(getMe, { token })).status).toBe(401);
    }
    expect((await call(logIn, { body: { email, password } })).status).toBe(401);
    expect((await call(signUp, { body: signUpBody({ email }) })).status).toBe(201);
  });

  it('leaves no data of the user', async () => {
    const account = await newAccount();
    const { recoveryCodes } = await plantTwoFactor(account.userId);
    await remove(account.token, { password, code: recoveryCodes[0] });
    await drainWork();

    expect(await itemsOf(account)).toEqual([]);
    expect(await get(keys.emailClaim(account.email))).toBeUndefined();
  });

  it('deletes organizations without other members, with all their data', async () => {
    const account = await newAccount();
    await remove(account.token);
    const { organizationId } = account;
    const members = await storedItems(keys.organization(organizationId).pk);
    expect(members.filter(({ sk }) => sk.startsWith('MEMBER#'))).toEqual([]);

    await removeDeleted(organizationId);
    expect(await get(keys.organization(organizationId))).toBeUndefined();
  });

  it('keeps organizations with other owners, and revokes the access that the user granted', async () => {
    const owner = await newAccount();
    const leaver = await newMember(owner, 'OWNER');
    const params = pathOf(owner);
    const key = await call(createApiKey, {
      params,
      token: leaver.token,
      body: { name: 'Sync', role: 'ADMIN' },
    });
    const invited = freshEmail();
    await call(inviteMember, {
      params,
      token: leaver.token,
      body: { email: invited, role: 'VIEWER' },
    });

    expect((await remove(leaver.token)).status).toBe(200);
    const organization = await get<Record<string, number>>(keys.organization(owner.organizationId));
    expect(organization).toMatchObject({ ownerCount: 1, memberCount: 1 });
    const { body: listed } = await call(listMembers, { params, token: owner.token });
    expect(listed.members.map(({ id }: { id: string }) => id)).toEqual([owner.userId]);
    const { body: keysLeft } = await call(listApiKeys, { params, token: owner.token });
    expect(keysLeft.total).toBe(0);
    expect((await call(listOrganizations, { token: key.body.key })).status).toBe(401);
    const { body: invitations } = await call(listInvitations, { params, token: owner.token });
    expect(invitations.invitations.map(({ status }: { status: string }) => status)).toEqual([
      'revoked',
    ]);
    expect((await call(getOrganization, { params, token: owner.token })).status).toBe(200);
  });

  it('is recorded by other organizations, with the role VIEWER for a former owner', async () => {
    const owner = await newAccount();
    const params = pathOf(owner);
    const expected: unknown[] = [];
    for (const [role, recorded] of [
      ['OWNER', 'VIEWER'],
      ['ADMIN', 'ADMIN'],
      ['MEMBER', 'MEMBER'],
    ] as const) {
      const leaver = await newMember(owner, role);
      await remove(leaver.token);
      expected.unshift({ targetId: leaver.userId, details: { role: recorded } });
    }

    const { body } = await call(listAuditLog, { params, token: owner.token });

    const left = body.entries.filter(({ action }: { action: string }) => action === 'member.left');
    expect(left).toMatchObject(expected);
  });

  it('frees addresses that were reserved for the user, and invalidates all links', async () => {
    const { email, token } = await newVerifiedAccount();
    await call(updateMe, { token, body: { email: freshEmail('new') } });
    const revertToken = tokenIn((await mailsTo(email))[0]);
    await remove(token);

    expect((await call(revertEmail, { body: { token: revertToken } })).status).toBe(400);
    const reset = { token: revertToken, newPassword: 'another horse battery' };
    expect((await call(resetPassword, { body: reset })).status).toBe(400);
    expect((await call(signUp, { body: signUpBody({ email }) })).status).toBe(201);
  });

  it('ends the link to the Google account', async () => {
    const { email, idToken, token, userId } = await newGoogleAccount();
    expect((await remove(token, { idToken })).status).toBe(200);
    const again = await call(signInWithGoogle, { body: { idToken } });

    expect(again.body.code).toBe('SIGNUP_REQUIRED');
    await drainWork();
    expect(await itemsOf({ userId })).toEqual([]);
    expect(await get(keys.emailClaim(email))).toBeUndefined();
  });

  it('succeeds for only one of several concurrent requests', async () => {
    const { token } = await newAccount();
    const answers = await Promise.all([1, 2, 3].map(() => remove(token)));

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401]);
  });
});

describe('the proof', () => {
  it('is the password of a LOCAL user', async () => {
    const { token } = await newAccount();
    const missing = await remove(token, {});
    const wrong = await remove(token, { password: 'wrong horse battery' });

    expect([missing.status, missing.body.message]).toEqual([400, ['password is required']]);
    expect([wrong.status, wrong.body.message]).toEqual([401, 'Current password is incorrect']);
    expect((await call(getMe, { token })).status).toBe(200);
  });

  it('is an ID token or the password of a LOCAL user with a linked Google account', async () => {
    const { email } = await newVerifiedAccount();
    const idToken = await sandbox.issueGoogleIdToken({ email });
    const other = await sandbox.issueGoogleIdToken({ email, sub: 'another' });
    const token = (await call(signInWithGoogle, { body: { idToken } })).body.authToken;
    const missing = await remove(token, {});
    const former = await remove(token, { password });

    expect(missing.body.message).toEqual(['password is required']);
    expect([former.status, former.body.message]).toEqual([401, 'Current password is incorrect']);
    expect((await remove(token, { idToken: other })).status).toBe(401);
    expect((await remove(token, { idToken })).status).toBe(200);
  });

  it('is an ID token of the linked Google account', async () => {
    const { token, email } = await newGoogleAccount();
    const other = await sandbox.issueGoogleIdToken({ email, sub: 'another' });
    const missing = await remove(token, { password });
    const wrong = await remove(token, { idToken: other });
    const forged = await remove(token, { idToken: 'garbage' });

    expect([missing.status, missing.body.message]).toEqual([400, ['idToken is required']]);
    for (const { status, body } of [wrong, forged]) {
      expect([status, body.message]).toEqual([401, 'Invalid or expired Google token']);
    }
  });

  it('includes a code if two-factor authentication is on', async () => {
    const { token, userId } = await newAccount();
    const { secret } = await plantTwoFactor(userId);
    const missing = await remove(token);
    const wrong = await remove(token, { password, code: wrongCodeOf(secret) });

    expect([missing.status, missing.body.message]).toEqual([400, ['code is required']]);
    expect([wrong.status, wrong.body.message]).toEqual([400, ['code is invalid']]);
    expect((await remove(token, { password, code: codeOf(secret) })).status).toBe(200);
  });

  it('can be tried only five times', async () => {
    const { token } = await newAccount();
    const wrong = { password: 'wrong horse battery' };
    const answers = await Promise.all(Array.from({ length: 7 }, () => remove(token, wrong)));

    expect(answers.filter(({ status }) => status === 401)).toHaveLength(5);
    expect((await remove(token)).status).toBe(429);
  });
});

describe('a sole owner', () => {
  it('gets 409 with the organizations that have other members, and nothing changes', async () => {
    const owner = await newAccount({ organizationName: 'Difference Engines' });
    await newMember(owner, 'ADMIN');
    const { status, body } = await remove(owner.token);

    expect(status).toBe(409);
    expect(body.message).toBe(
      'You are the only owner of Difference Engines. Make another member an owner, or delete the organization',
    );
    expect(body.organizations).toEqual([{ id: owner.organizationId, name: 'Difference Engines' }]);
    expect((await call(getMe, { token: owner.token })).status).toBe(200);
  });

  it('is one of two owners who delete their accounts concurrently', async () => {
    const first = await newAccount();
    const second = await newMember(first, 'OWNER');
    await newMember(first, 'VIEWER');
    const answers = await Promise.all([remove(first.token), remove(second.token)]);

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const organization = await get<Record<string, number>>(keys.organization(first.organizationId));
    expect(organization).toMatchObject({ ownerCount: 1, memberCount: 2 });
  });
});
