import { randomUUID } from 'node:crypto';
import { sandboxClient } from '#packages/sandbox/src/client.ts';
import { SocialLeads } from '#packages/sdk/src/index.ts';
import { ensure, until } from './step.ts';

type Member = {
  readonly client: SocialLeads;
  readonly inPath: { readonly organizationId: string };
};

const waitSeconds = 30;

/** Invites a colleague, who reads the email. Returns the address and the token from its link. */
export async function inviteColleague({ client, inPath }: Member, sandbox: string) {
  const email = `grace-${randomUUID().slice(0, 8)}@example.com`;
  await client.organizations.inviteMember({ ...inPath, email, role: 'ADMIN' });
  const mail = await until('no invitation arrived', waitSeconds, async () =>
    (await sandboxClient(sandbox).mails(email)).find(({ text }) => text?.includes('?token=')),
  );
  const token = /\?token=([\w-]+)/.exec(mail.text ?? '')?.[1] ?? '';

  return [`${email} reads "${mail.subject}"`, { email, token }] as const;
}

/** The colleague joins without a signup, and sees the lead. */
export async function joinAsColleague({ inPath }: Member, api: string, token: string) {
  const client = new SocialLeads({ baseUrl: api });
  const { invitation, hasAccount } = await client.organizations.lookUpInvitation({ token });
  ensure(!hasAccount, 'the colleague has an account');
  const joined = await client.organizations.acceptInvitation({
    token,
    firstName: 'Grace',
    lastName: 'Hopper',
    password: 'correct horse battery',
  });
  ensure('authToken' in joined, 'the colleague is not signed in');
  const { user, organization, authToken } = joined;
  ensure(organization.role === invitation.role, `the colleague is ${organization.role}`);
  const { leads } = await new SocialLeads({ baseUrl: api, token: authToken }).leads.list(inPath);
  ensure(leads.length === 1, `the colleague sees ${leads.length} leads`);

  return [
    `${user.firstName} is ${organization.role} of ${organization.name}, and sees ${leads[0]?.contact?.name}`,
    undefined,
  ] as const;
}
