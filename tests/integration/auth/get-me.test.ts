import { describe, expect, it } from 'vitest';
import { dayMs, setClock } from '#lib/platform/clock.ts';
import { getMe } from '#schemas/auth.ts';
import {
  createOrganization,
  deleteOrganization,
  leaveOrganization,
  removeMember,
} from '#schemas/organizations.ts';
import { newAccount, newMember } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { errorBodyOf } from '#tests/support/error-body.ts';

async function currentOf(token: string): Promise<string | undefined> {
  const { body } = await call(getMe, { token });

  return body.user.currentOrganization?.id;
}

describe('getting the current user', () => {
  it('returns the user with all organizations and the current one', async () => {
    const { token, userId, email, organizationId } = await newAccount();
    const { body, headers } = await call(getMe, { token });

    expect(body.user).toEqual({
      id: userId,
      email,
      firstName: 'Ada',
      lastName: 'Lovelace',
      nickname: null,
      avatar: null,
      authProvider: 'LOCAL',
      emailVerified: false,
      twoFactorEnabled: false,
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: expect.stringMatching(/Z$/),
      organizations: [
        {
          id: organizationId,
          name: 'Analytical Engines',
          role: 'OWNER',
          joinedAt: expect.stringMatching(/Z$/),
        },
      ],
      currentOrganization: { id: organizationId, name: 'Analytical Engines', role: 'OWNER' },
    });
    expect(headers['cache-control']).toBe('no-store');
  });

  it('uses the organization in X-Organization-Id for one request', async () => {
    const { token, organizationId } = await newAccount();
    const made = await call(createOrganization, { body: { name: 'Second' }, token });
    const secondId = made.body.organization.id;
    const selected = await call(getMe, { token, headers: { 'x-organization-id': secondId } });

    expect(selected.body.user.currentOrganization.id).toBe(secondId);
    expect(await currentOf(token)).toBe(organizationId);
  });

  it('falls back to the organization joined first after the current one is left', async () => {
    const inviter = await newAccount();
    const member = await newMember(inviter, 'MEMBER');
    const headers = { 'x-organization-id': inviter.organizationId };
    expect((await call(getMe, { token: member.token, headers })).status).toBe(200);

    await call(deleteOrganization, {
      params: { organization_id: member.organizationId },
      token: member.token,
    });
    expect(await currentOf(member.token)).toBe(inviter.organizationId);
    await call(leaveOrganization, {
      params: { organization_id: inviter.organizationId },
      token: member.token,
    });
    expect(await currentOf(member.token)).toBeUndefined();
  });

  it('omits organizations the user was removed from', async () => {
    const inviter = await newAccount();
    const member = await newMember(inviter, 'ADMIN');
    await call(removeMember, {
      params: { organization_id: inviter.organizationId, user_id: member.userId },
      token: inviter.token,
    });
    const { body } = await call(getMe, { token: member.token });

    expect(body.user.organizations.map(({ id }: { id: string }) => id)).toEqual([
      member.organizationId,
    ]);
  });
});

describe('invalid organizations', () => {
  it('returns 400 for an X-Organization-Id that is not a UUID', async () => {
    const { token } = await newAccount();
    const answer = await call(getMe, { token, headers: { 'x-organization-id': 'mine' } });

    expect(answer.status).toBe(400);
    expect(answer.body.message).toEqual(['X-Organization-Id must be a valid UUID']);
  });

  it("returns the same 404 for another user's, an unknown and a deleted organization", async () => {
    const { token } = await newAccount();
    const stranger = await newAccount();
    const never = '01920000-0000-7000-8000-000000000000';
    const made = await call(createOrganization, { body: { name: 'Doomed' }, token });
    const deletedId = made.body.organization.id;
    await call(deleteOrganization, { params: { organization_id: deletedId }, token });

    const answers = await Promise.all(
      [stranger.organizationId, never, deletedId].map((id) =>
        call(getMe, { token, headers: { 'x-organization-id': id } }),
      ),
    );
    for (const answer of answers) {
      expect(answer.status).toBe(404);
      expect(answer.body.message).toBe("Organization not found or you don't have access");
    }
  });
});

describe('authentication', () => {
  it('expires with the session after seven days, even while its record is still stored', async () => {
    const { token } = await newAccount();
    const start = Date.now();

    setClock(() => start + 7 * dayMs - 5_000);
    expect((await call(getMe, { token })).status).toBe(200);
    setClock(() => start + 7 * dayMs + 5_000);
    const late = await call(getMe, { token });
    expect(late.status).toBe(401);
    expect(late.body).toMatchObject({
      message: 'Invalid or expired access token',
      code: 'SESSION_INVALID',
    });
  });

  it('accepts the cookie without a token', async () => {
    const { token, userId } = await newAccount();
    const cookies = ['theme=dark', `__Host-auth_token=${token}`];

    expect((await call(getMe, { cookies })).body.user.id).toBe(userId);
  });

  it('prefers the Bearer token over the cookie, even when the token is invalid', async () => {
    const one = await newAccount();
    const other = await newAccount();
    const cookies = [`__Host-auth_token=${other.token}`];

    expect((await call(getMe, { token: one.token, cookies })).body.user.id).toBe(one.userId);
    expect((await call(getMe, { token: 'garbage', cookies })).status).toBe(401);
    const headers = { authorization: 'Basic QWxhZGRpbg==' };
    expect((await call(getMe, { headers, cookies })).status).toBe(401);
  });

  it.each([
    ['none', {}],
    ['an empty cookie', { cookies: ['__Host-auth_token='] }],
    ['a cookie with another name', { cookies: ['auth_token=abc'] }],
  ])('returns 401 for %s', async (_, sent) => {
    const answer = await call(getMe, sent);

    expect(answer.status).toBe(401);
    expect(answer.body).toEqual(errorBodyOf('AUTHENTICATION_REQUIRED', 'Authentication required'));
  });
});
