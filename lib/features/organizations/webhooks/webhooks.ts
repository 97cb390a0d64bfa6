import { planMemberGrant } from '#lib/features/organizations/member-grants.ts';
import type { Actor } from '#lib/features/organizations/members.ts';
import { planAudit } from '#lib/platform/audit/audit-log.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { compact } from '#lib/platform/compact.ts';
import { changesSomething } from '#lib/platform/db/changes-something.ts';
import { equals, unchanged } from '#lib/platform/db/conditions.ts';
import { webhookKeys, webhookSource } from '#lib/platform/db/keys/webhooks.ts';

import { retryWhenOvertaken } from '#lib/platform/db/retry-when-overtaken.ts';
import {
  applied,
  change,
  count,
  create,
  type ExtraWrites,
  remove,
  type Write,
  write,
} from '#lib/platform/db/write.ts';
import { requireFound, wrongState } from '#lib/platform/errors/failures.ts';
import { requirePerson } from '#lib/platform/identity/acting-key.ts';
import { newId } from '#lib/platform/ids.ts';
import { planQuotaRelease, planQuotaUse } from '#lib/platform/quotas/quotas.ts';
import { planDeliveries } from '#lib/platform/webhooks/deliveries.ts';
import type { Delivery } from '#lib/platform/webhooks/delivery.ts';
import { newWebhookEndpoint } from '#lib/platform/webhooks/endpoint-secrets.ts';
import { findWebhookEndpoint } from '#lib/platform/webhooks/endpoints.ts';
import type { OrganizationWebhook } from '#lib/platform/webhooks/organization-webhooks.ts';
import type { BodyOf } from '#schemas/contract.ts';
import type * as contracts from '#schemas/organization-webhooks.ts';

export type WebhookWithSecret = {
  readonly webhook: OrganizationWebhook;
  readonly secret: string | undefined;
};

function keyOf(organizationId: string, webhookId: string) {
  return webhookKeys.webhookEndpoint(organizationId, webhookSource(webhookId));
}

function planWebhookAudit(
  actorId: string,
  action: 'webhook.created' | 'webhook.updated' | 'webhook.deleted' | 'webhook.secret_rotated',
  { organizationId, id, url }: OrganizationWebhook,
): readonly Write[] {
  return planAudit(organizationId, {
    action,
    actorId,
    targetId: id,
    // Omits the path, because it may contain a credential of the receiver.
    details: { origin: new URL(url).origin },
  });
}

/** @throws 404 */
export async function requireWebhook(
  organizationId: string,
  webhookId: string,
): Promise<OrganizationWebhook> {
  const source = webhookSource(webhookId);

  return requireFound(
    await findWebhookEndpoint<OrganizationWebhook>(organizationId, source),
    'Webhook',
  );
}

/**
 * A concurrent removal of the creator either happens before this, or also finds this webhook.
 *
 * @throws 409 if the organization has too many webhooks.
 */
export async function createWebhook(
  organizationId: string,
  actor: Actor,
  { url, events, description }: BodyOf<typeof contracts.createOrganizationWebhook>,
  extraWrites: ExtraWrites<WebhookWithSecret>,
): Promise<WebhookWithSecret> {
  const id = newId();
  const { endpoint, secret } = await newWebhookEndpoint(organizationId, webhookSource(id), url);
  const webhook = compact({
    ...endpoint,
    id,
    events: [...new Set(events)],
    description,
    createdById: actor.userId,
    updatedAt: endpoint.createdAt,
  }) as OrganizationWebhook;
  const created = { webhook, secret };
  await write(
    ...(await extraWrites(created)),
    create(keyOf(organizationId, id), webhook),
    planQuotaUse(webhookKeys.eventReceivers(organizationId), 'webhooks', { add: { active: 1 } }),
    planMemberGrant(organizationId, actor),
    ...planWebhookAudit(actor.userId, 'webhook.created', webhook),
  );

  return created;
}

/**
 * Updates a webhook. Switching it on again resets its failures.
 *
 * @throws 403 if an API key changes it, 404
 */
export async function updateWebhook(
  organizationId: string,
  actorId: string,
  webhookId: string,
  { events, ...others }: BodyOf<typeof contracts.updateOrganizationWebhook>,
): Promise<OrganizationWebhook> {
  const patch = { ...others, events: events && [...new Set(events)] };

  return retryWhenOvertaken('webhook', async () => {
    const before = await requireWebhook(organizationId, webhookId);
    if (!changesSomething(before, patch)) {
      return before;
    }
    if (patch.url !== undefined && patch.url !== before.url) {
      requirePerson();
    }
    const { isActive = before.isActive } = patch;
    const isSwitched = isActive !== before.isActive;
    const set = {
      ...patch,
      ...(isSwitched ? { disabledReason: null, failingSince: null } : {}),
      updatedAt: timestamp(),
    };
    const after = applied(before, set);
    await write(
      change(keyOf(organizationId, webhookId), {
        set,
        when: equals('isActive', before.isActive),
      }),
      ...(isSwitched
        ? [count(webhookKeys.eventReceivers(organizationId), { active: isActive ? 1 : -1 })]
        : []),
      ...planWebhookAudit(actorId, 'webhook.updated', after),
    );

    return after;
  });
}

/** Deletes a webhook. Its pending deliveries fail. @throws 404 */
export async function deleteWebhook(
  organizationId: string,
  actorId: string,
  webhookId: string,
): Promise<void> {
  await retryWhenOvertaken('webhook', async () => {
    const webhook = await requireWebhook(organizationId, webhookId);
    const { isActive } = webhook;
    await write(
      remove(keyOf(organizationId, webhookId), { when: equals('isActive', isActive) }),
      planQuotaRelease(webhookKeys.eventReceivers(organizationId), {
        add: { active: isActive ? -1 : 0 },
      }),
      ...planWebhookAudit(actorId, 'webhook.deleted', webhook),
    );
  });
}

/**
 * Replaces the secret. For a day, the former secret also signs.
 *
 * @throws 404
 */
export function rotateSecret(
  organizationId: string,
  actorId: string,
  webhookId: string,
  extraWrites: ExtraWrites<string>,
): Promise<string> {
  return retryWhenOvertaken('webhook', async () => {
    const webhook = await requireWebhook(organizationId, webhookId);
    const { sourceId, url } = webhook;
    const renewed = await newWebhookEndpoint(organizationId, sourceId, url, webhook);
    const { secret, formerSecret, formerSecretUntil } = renewed.endpoint;
    const shown = String(renewed.secret);
    await write(
      ...(await extraWrites(shown)),
      change(keyOf(organizationId, webhookId), {
        set: { secret, formerSecret, formerSecretUntil, updatedAt: timestamp() },
        when: unchanged('secret', webhook.secret),
      }),
      ...planWebhookAudit(actorId, 'webhook.secret_rotated', webhook),
    );

    return shown;
  });
}

/** Sends a `webhook.test` event. @throws 404, 409 if the webhook is switched off. */
export async function testWebhook(
  organizationId: string,
  webhookId: string,
  extraWrites: ExtraWrites<Delivery>,
): Promise<Delivery> {
  const webhook = await requireWebhook(organizationId, webhookId);
  if (!webhook.isActive) {
    throw wrongState('The webhook is switched off. Switch it on before you test it', 'INACTIVE');
  }
  const { id, url, events, description = null, isActive, createdAt, updatedAt } = webhook;
  const shown = {
    id,
    url,
    events,
    description,
    isActive,
    disabledReason: null,
    createdAt,
    updatedAt,
  };
  const writes = planDeliveries(webhook, [
    { type: 'webhook.test', data: { organizationId, webhookId, webhook: shown } },
  ]);
  // The delivery is the first of the planned writes.
  const delivery = writes[0]?.item as Delivery;
  await write(...(await extraWrites(delivery)), ...writes);

  return delivery;
}
