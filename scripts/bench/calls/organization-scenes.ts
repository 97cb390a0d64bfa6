import { createWebhook, testWebhook } from '#lib/features/organization-webhooks/webhooks.ts';
import { webhookSource } from '#lib/platform/db/keys/webhooks.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { change, nothingElse, write } from '#lib/platform/db/write.ts';
import { planOrganizationEvent } from '#lib/platform/webhooks/organization-events.ts';
import { planWork } from '#lib/platform/work/outbox.ts';
import * as apiKeys from '#schemas/api-keys.ts';
import type { Contract } from '#schemas/contract.ts';
import { createLiveTicket } from '#schemas/live.ts';
import * as webhooks from '#schemas/organization-webhooks.ts';
import * as organizations from '#schemas/organizations.ts';
import { callOf, type Scene, signedInCall } from './scene.ts';
import { newEmail, type World } from './world.ts';

/** A call by the OWNER in a new organization. */
function ownerCall(contract: Contract, body?: object): Scene {
  return callOf(contract, async (world) => {
    const { token, organizationId } = await world.newAccount();

    return { token, params: { organization_id: organizationId }, ...(body ? { body } : {}) };
  });
}

/** A call by the OWNER about another member. */
function memberCall(contract: Contract, body?: object): Scene {
  return callOf(contract, async (world) => {
    const owner = await world.newAccount();
    const { userId } = await world.newMember(owner);
    const params = { organization_id: owner.organizationId, user_id: userId };

    return { token: owner.token, params, ...(body ? { body } : {}) };
  });
}

/** An organization with a webhook. */
async function withWebhook(world: World) {
  const { token, organizationId, userId } = await world.newAccount();
  const { webhook } = await createWebhook(
    organizationId,
    userId,
    { url: 'https://hooks.example.com/', events: ['*'] },
    nothingElse,
  );

  return { token, organizationId, webhookId: webhook.id };
}

/** A call by the OWNER about a webhook of the organization. */
function webhookCall(contract: Contract, body?: object): Scene {
  return callOf(contract, async (world) => {
    const { token, organizationId, webhookId } = await withWebhook(world);
    const params = { organization_id: organizationId, webhook_id: webhookId };

    return { token, params, ...(body ? { body } : {}) };
  });
}

/** A call by an invited user with the token from the email. */
function invitedCall(contract: Contract): Scene {
  return callOf(contract, async (world) => {
    const { token, email } = await world.newAccount();
    const { invitationToken } = await world.invite(await world.newAccount(), email);

    return { token, body: { token: invitationToken } };
  });
}

export const organizationScenes: Readonly<Record<string, Scene>> = {
  'create-organization': signedInCall(organizations.createOrganization, {
    name: 'Difference Engines',
    industry: 'Manufacturing',
  }),
  'list-organizations': signedInCall(organizations.listOrganizations),
  'get-organization': ownerCall(organizations.getOrganization),
  'update-organization': ownerCall(organizations.updateOrganization, { name: 'Better Engines' }),
  'delete-organization': ownerCall(organizations.deleteOrganization),
  'list-members': callOf(organizations.listMembers, async (world) => {
    const owner = await world.newAccount();
    await world.newMember(owner);

    return { token: owner.token, params: { organization_id: owner.organizationId } };
  }),
  'invite-member': callOf(organizations.inviteMember, async (world) => {
    const { token, organizationId } = await world.newAccount();

    return {
      token,
      params: { organization_id: organizationId },
      body: { email: newEmail(), role: 'MEMBER' },
    };
  }),
  'list-invitations': callOf(organizations.listInvitations, async (world) => {
    const owner = await world.newAccount();
    await world.invite(owner, newEmail());

    return { token: owner.token, params: { organization_id: owner.organizationId } };
  }),
  'revoke-invitation': callOf(organizations.revokeInvitation, async (world) => {
    const owner = await world.newAccount();
    const { invitationId } = await world.invite(owner, newEmail());
    const params = { organization_id: owner.organizationId, invitation_id: invitationId };

    return { token: owner.token, params };
  }),
  'accept-invitation': invitedCall(organizations.acceptInvitation),
  'decline-invitation': invitedCall(organizations.declineInvitation),
  'update-member-role': memberCall(organizations.updateMemberRole, { role: 'ADMIN' }),
  'remove-member': memberCall(organizations.removeMember),
  'create-api-key': ownerCall(apiKeys.createApiKey, { name: 'Sync', role: 'MEMBER' }),
  'list-api-keys': ownerCall(apiKeys.listApiKeys),
  'revoke-api-key': callOf(apiKeys.revokeApiKey, async (world) => {
    const { token, organizationId } = await world.newAccount();
    const params = { organization_id: organizationId };
    const { apiKey } = await world.call(apiKeys.createApiKey, {
      token,
      params,
      body: { name: 'Sync', role: 'MEMBER' },
    });

    return { token, params: { ...params, key_id: apiKey.id } };
  }),
  'leave-organization': callOf(organizations.leaveOrganization, async (world) => {
    const owner = await world.newAccount();
    const { token } = await world.newMember(owner);

    return { token, params: { organization_id: owner.organizationId } };
  }),
  'list-audit-log': ownerCall(organizations.listAuditLog),
  'get-notification-settings': ownerCall(organizations.getNotificationSettings),
  'update-notification-settings': ownerCall(organizations.updateNotificationSettings, {
    assigned: 'OFF',
  }),
  'create-live-ticket': ownerCall(createLiveTicket),
  'live-connections': async (world) => {
    const { token, organizationId } = await world.newAccount();
    const { ticket } = await world.call(createLiveTicket, {
      token,
      params: { organization_id: organizationId },
    });

    return {
      requestContext: { eventType: 'CONNECT', connectionId: 'connection-1' },
      queryStringParameters: { ticket },
    };
  },
  'create-organization-webhook': ownerCall(webhooks.createOrganizationWebhook, {
    url: 'https://hooks.example.com/',
    events: ['*'],
  }),
  'list-organization-webhooks': webhookCall(webhooks.listOrganizationWebhooks),
  'update-organization-webhook': webhookCall(webhooks.updateOrganizationWebhook, {
    events: ['lead.created'],
  }),
  'delete-organization-webhook': webhookCall(webhooks.deleteOrganizationWebhook),
  'rotate-organization-webhook-secret': webhookCall(webhooks.rotateOrganizationWebhookSecret),
  'test-organization-webhook': webhookCall(webhooks.testOrganizationWebhook),
  'list-organization-webhook-deliveries': webhookCall(webhooks.listOrganizationWebhookDeliveries),
  'replay-organization-webhook-delivery': callOf(
    webhooks.replayOrganizationWebhookDelivery,
    async (world) => {
      const { token, organizationId, webhookId } = await withWebhook(world);
      const { id } = await testWebhook(organizationId, webhookId, nothingElse);
      const delivery = keys.webhookDelivery(organizationId, webhookSource(webhookId), id);
      await write(change(delivery, { set: { status: 'FAILED' } }));
      const params = {
        organization_id: organizationId,
        webhook_id: webhookId,
        delivery_id: id,
      };

      return { token, params };
    },
  ),
  'webhook-disabled': async (world) => {
    const { organizationId } = await world.newAccount();
    const payload = { organizationId, url: 'https://hooks.example.com', reason: 'It was gone' };
    await world.queues.drain();
    const owner = keys.webhookDelivery(organizationId, '', '');
    await write(planWork('webhookDisabled', { owner, payload }));

    return world.queues.takeEvent('webhook-disabled');
  },
  'webhook-fan-out': async (world) => {
    const { organizationId } = await withWebhook(world);
    await world.queues.drain();
    await write(
      ...(await planOrganizationEvent(organizationId, {
        type: 'credits.exhausted',
        data: { campaignId: null, credits: 0 },
      })),
    );

    return world.queues.takeEvent('webhook-fan-out');
  },
};
