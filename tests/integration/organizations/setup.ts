import { expect } from 'vitest';
import { logIn } from '#schemas/auth.ts';
import * as organizations from '#schemas/organizations.ts';
import { type Account, newAccount, password } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { inviteByMail, organizationWith } from '#tests/support/organizations.ts';

export async function signedInAgain({ email }: Account): Promise<string> {
  const { body } = await call(logIn, { body: { email, password } });

  return body.authToken;
}

export type InvitationSetup = Awaited<ReturnType<typeof invitationSetup>>;

/** Creates an organization of Ada and an account that she can invite. */
export async function invitationSetup() {
  const [ada, guest] = [await newAccount(), await newAccount()];

  const organizationId = await organizationWith(ada);

  function invite(role: 'OWNER' | 'ADMIN' | 'MEMBER' | 'VIEWER' = 'MEMBER') {
    return inviteByMail(ada, organizationId, { email: guest.email, role });
  }

  function acceptInvitation(token: string, by = guest.token) {
    return call(organizations.acceptInvitation, { body: { token }, token: by });
  }

  function declineInvitation(token: string, by = guest.token) {
    return call(organizations.declineInvitation, { body: { token }, token: by });
  }

  function revokeInvitation(invitationId: string, { token } = ada, id = organizationId) {
    const params = { organization_id: id, invitation_id: invitationId };

    return call(organizations.revokeInvitation, { params, token });
  }

  async function listInvitations({ token } = ada) {
    const { status, body } = await call(organizations.listInvitations, {
      params: { organization_id: organizationId },
      token,
    });
    expect([status, body.total]).toEqual([200, body.invitations.length]);

    return body.invitations as ReadonlyArray<Readonly<Record<string, string>>>;
  }

  async function statuses(): Promise<readonly (string | undefined)[]> {
    return (await listInvitations()).map(({ status }) => status);
  }

  return {
    ada,
    guest,
    organizationId,
    invite,
    acceptInvitation,
    declineInvitation,
    revokeInvitation,
    listInvitations,
    statuses,
  };
}
