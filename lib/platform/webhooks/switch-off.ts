import { planAudit } from '#lib/platform/audit/audit-log.ts';
import { dayMs, now, timestamp } from '#lib/platform/clock.ts';
import { allOf, equals, unchanged } from '#lib/platform/db/conditions.ts';
import { webhookKeys } from '#lib/platform/db/keys/webhooks.ts';
import { change, count, type Write } from '#lib/platform/db/write.ts';
import { writeIfMet } from '#lib/platform/db/write-if-met.ts';
import { planWork } from '#lib/platform/work/outbox.ts';
import type { WebhookEndpoint } from './endpoints.ts';
import { isOrganizationWebhook, type OrganizationWebhook } from './organization-webhooks.ts';

/** A webhook is switched off when all deliveries have failed for this long. */
const failingMs = 3 * dayMs;

export const goneStatus = 410;

function keyOf({ organizationId, sourceId }: WebhookEndpoint) {
  return webhookKeys.webhookEndpoint(organizationId, sourceId);
}

/** Records that an attempt succeeded. Writes only if earlier ones had failed. */
export async function noteSuccess(endpoint: WebhookEndpoint): Promise<void> {
  const { failingSince } = endpoint;
  if (failingSince !== undefined) {
    const when = equals('failingSince', failingSince);
    await writeIfMet(change(keyOf(endpoint), { set: { failingSince: null }, when }));
  }
}

/**
 * Switches off an endpoint if its receiver is gone. Also switches off an organization's webhook if
 * all attempts have failed for three days.
 */
export async function noteFailure(endpoint: WebhookEndpoint, status?: number): Promise<void> {
  const isGone = status === goneStatus;
  if (!endpoint.isActive) {
    return;
  }
  if (!isOrganizationWebhook(endpoint)) {
    const set = { isActive: false };
    const when = equals('id', endpoint.id);
    await (isGone ? writeIfMet(change(keyOf(endpoint), { set, when })) : undefined);

    return;
  }
  const { failingSince } = endpoint;
  if (isGone) {
    await switchOff(endpoint, 'The endpoint returned 410 Gone');
  } else if (failingSince === undefined) {
    const when = unchanged('failingSince', undefined);
    await writeIfMet(change(keyOf(endpoint), { set: { failingSince: timestamp() }, when }));
  } else if (now() - Date.parse(failingSince) >= failingMs) {
    await switchOff(endpoint, 'All deliveries failed for three days');
  }
}

async function switchOff(webhook: OrganizationWebhook, reason: string): Promise<void> {
  const { organizationId, url, failingSince } = webhook;
  await writeIfMet(
    change(keyOf(webhook), {
      set: { isActive: false, disabledReason: reason, updatedAt: timestamp() },
      when: allOf(
        equals('isActive', true),
        equals('url', url),
        unchanged('failingSince', failingSince),
      ),
    }),
    count(webhookKeys.eventReceivers(organizationId), { active: -1 }),
    planDisabledMails(webhook, reason),
    ...planAudit(organizationId, {
      action: 'webhook.disabled',
      actorId: null,
      targetId: webhook.id,
      details: { origin: new URL(url).origin, reason },
    }),
  );
}

/**
 * The sweep sends this mail, because the worker that delivers events may send only to its own
 * queue.
 */
function planDisabledMails({ organizationId, url }: OrganizationWebhook, reason: string): Write {
  return planWork('webhookDisabled', {
    owner: webhookKeys.webhookDelivery(organizationId, '', ''),
    payload: { organizationId, url: new URL(url).origin, reason },
    sweepAfterMs: 0,
    leaveToSweep: true,
  });
}
