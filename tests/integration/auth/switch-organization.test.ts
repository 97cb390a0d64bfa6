import { describe, expect, it } from 'vitest';
import { getMe, logIn, switchOrganization } from '#schemas/auth.ts';
import { getBalance } from '#schemas/billing.ts';
import { deleteOrganization, removeMember, updateMemberRole } from '#schemas/organizations.ts';
import { type Account, newAccount, newMember, password } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';

async function currentOf(token: string): Promise<string> {
  return (await call(getMe, { token })).body.user.currentOrganization.id;
}

const switchTo = (token: string, organizationId: string) =>
  call(switchOrganization, { token, body: { organizationId } });

const remove = (inviter: Account, member: Account) =>
  call(removeMember, {
    params: { organization_id: inviter.organizationId, user_id: member.userId },
    token: inviter.token,
  });

describe('switching the organization', () => {
  it("changes the session's organization for all later requests", async () => {
    const inviter = await newAccount({ organizationName: 'Inviters' });
    const member = await newMember(inviter, 'VIEWER');
    const { body } = await switchTo(member.token, inviter.organizationId);

    expect(body).toEqual({
      success: true,
      currentOrganization: { id: inviter.organizationId, name: 'Inviters', role: 'VIEWER' },
      message: 'Organization switched successfully',
    });
    expect(await currentOf(member.token)).toBe(inviter.organizationId);
  });

  it("leaves the user's other sessions unchanged", async () => {
    const inviter = await newAccount();
    const member = await newMember(inviter, 'MEMBER');
    const other = await call(logIn, { body: { email: member.email, password } });
    await switchTo(other.body.authToken, member.organizationId);
    await switchTo(member.token, inviter.organizationId);

    expect(await currentOf(other.body.authToken)).toBe(member.organizationId);
  });

  it("applies the user's role in that organization to each request", async () => {
    const inviter = await newAccount();
    const member = await newMember(inviter, 'ADMIN');
    await switchTo(member.token, inviter.organizationId);
    expect((await call(getBalance, { token: member.token })).status).toBe(200);
    await call(updateMemberRole, {
      params: { organization_id: inviter.organizationId, user_id: member.userId },
      token: inviter.token,
      body: { role: 'MEMBER' },
    });

    expect((await call(getBalance, { token: member.token })).status).toBe(403);
  });

  it('falls back to the organization joined first when access to the chosen one is lost', async () => {
    const inviter = await newAccount();
    const member = await newMember(inviter, 'MEMBER');
    await switchTo(member.token, inviter.organizationId);
    await remove(inviter, member);

    expect(await currentOf(member.token)).toBe(member.organizationId);
  });
});

describe('unknown organizations', () => {
  it("returns the same 404 for another user's, an unknown and a deleted organization", async () => {
    const stranger = await newAccount();
    const inviter = await newAccount();
    const member = await newMember(inviter, 'MEMBER');
    await call(deleteOrganization, {
      params: { organization_id: inviter.organizationId },
      token: inviter.token,
    });
    const never = '01920000-0000-7000-8000-000000000000';

    for (const id of [stranger.organizationId, inviter.organizationId, never]) {
      const answer = await switchTo(member.token, id);
      expect(answer.status).toBe(404);
      expect(answer.body.message).toBe("Organization not found or you don't have access");
    }
    expect(await currentOf(member.token)).toBe(member.organizationId);
  });
});
