import { ranges } from '#lib/platform/db/keys.ts';
import { query } from '#lib/platform/db/read.ts';
import type { Delivery } from '#lib/platform/webhooks/delivery.ts';
import type { WebhookEndpoint } from '#lib/platform/webhooks/endpoints.ts';

/** A source of events whose receiver does not take them. */
export type FailingWebhook = { readonly sourceId: string; readonly isGone: boolean };

const maxLookedAt = 20;

/** The receivers that are gone, or whose latest delivery has failed. */
export async function findFailingWebhooks(
  organizationId: string,
): Promise<readonly FailingWebhook[]> {
  const endpoints = await query<WebhookEndpoint>(ranges.webhookEndpoints(organizationId));
  const used = endpoints.filter(({ url }) => url !== undefined).slice(0, maxLookedAt);
  const found = await Promise.all(used.map((one) => look(organizationId, one)));

  return found.flat();
}

async function look(
  organizationId: string,
  { sourceId, isActive }: WebhookEndpoint,
): Promise<readonly FailingWebhook[]> {
  if (!isActive) {
    return [{ sourceId, isGone: true }];
  }
  const range = ranges.webhookDeliveries(organizationId, sourceId);
  const [latest] = await query<Delivery>(range, { newestFirst: true, limit: 1 });

  return latest?.status === 'FAILED' ? [{ sourceId, isGone: false }] : [];
}
