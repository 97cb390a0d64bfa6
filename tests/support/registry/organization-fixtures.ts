import { inviteMember } from '#schemas/organizations.ts';
import { freshEmail, newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { mailsTo, tokenIn } from '#tests/support/mails.ts';
import { storeWebhook, storeWebhookDelivery } from '#tests/support/organization-webhooks.ts';
import type { Fixtures } from './fixture.ts';
import { newKey, type World } from './world.ts';

async function inviteTo(organizationId: string, token: string, email: string): Promise<string> {
  const answer = await call(inviteMember, {
    params: { organization_id: organizationId },
    body: { email, role: 'MEMBER' },
    token,
  });

  return answer.body.invitation.id;
}

/** Returns the token of an invitation of the OWNER to another organization. */
async function invitationToken({ people }: World): Promise<string> {
  const host = await newAccount();
  await inviteTo(host.organizationId, host.token, people.OWNER.email);
  const [mail] = await mailsTo(people.OWNER.email);

  return tokenIn(mail);
}

const aMember: Fixtures[string] = {
  params: async ({ people }) => ({ user_id: people.VIEWER.userId }),
};

async function newWebhook({ organizationId, names }: World): Promise<string> {
  return (await storeWebhook(organizationId, { description: names[0] ?? '' })).id;
}

const aWebhook: Fixtures[string] = {
  params: async (world) => ({ webhook_id: await newWebhook(world) }),
};

const aWebhookDelivery: Fixtures[string] = {
  params: async (world) => {
    const webhook_id = await newWebhook(world);
    const delivery_id = await storeWebhookDelivery(world.organizationId, webhook_id);

    return { webhook_id, delivery_id };
  },
};

export const organizationFixtures: Fixtures = {
  inviteMember: { body: async () => ({ email: freshEmail() }) },
  revokeInvitation: {
    params: async ({ organizationId, people }) => ({
      invitation_id: await inviteTo(organizationId, people.OWNER.token, freshEmail()),
    }),
  },
  acceptInvitation: { body: async (world) => ({ token: await invitationToken(world) }) },
  declineInvitation: { body: async (world) => ({ token: await invitationToken(world) }) },
  updateMemberRole: aMember,
  removeMember: aMember,
  revokeApiKey: {
    params: async (world) => ({ key_id: (await newKey(world, 'VIEWER')).apiKey.apiKeyId }),
  },
  listOrganizationWebhooks: {
    params: async (world) => {
      await newWebhook(world);

      return {};
    },
  },
  updateOrganizationWebhook: aWebhook,
  deleteOrganizationWebhook: aWebhook,
  rotateOrganizationWebhookSecret: aWebhook,
  testOrganizationWebhook: aWebhook,
  listOrganizationWebhookDeliveries: aWebhook,
  replayOrganizationWebhookDelivery: aWebhookDelivery,
  leaveOrganization: { as: 'MEMBER' },
};
