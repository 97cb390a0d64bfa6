import { webhookRanges } from '#lib/platform/db/keys/webhooks.ts';
import { query } from '#lib/platform/db/read.ts';
import type { Delivery } from '#lib/platform/webhooks/delivery.ts';
import type { WebhookEndpoint } from '#lib/platform/webhooks/endpoints.ts';

export type FailingWebhook = { readonly sourceId: string; readonly isGone: boolean };

const maxChecked = 20;

/** Returns the webhooks that are gone or whose latest delivery failed. */
export async function findFailingWebhooks(
  organizationId: string,
): Promise<readonly FailingWebhook[]> {
  const endpoints = await query<WebhookEndpoint>(webhookRanges.webhookEndpoints(organizationId));
  const used = endpoints.filter(({ url }) => url !== undefined).slice(0, maxChecked);
  const found = await Promise.all(used.map((one) => checkEndpoint(organizationId, one)));

  return found.flat();
}

async function checkEndpoint(
  organizationId: string,
  { sourceId, isActive }: WebhookEndpoint,
): Promise<readonly FailingWebhook[]> {
  if (!isActive) {
    return [{ sourceId, isGone: true }];
  }
  const range = webhookRanges.webhookDeliveries(organizationId, sourceId);
  const [latest] = await query<Delivery>(range, { newestFirst: true, limit: 1 });

  return latest?.status === 'FAILED' ? [{ sourceId, isGone: false }] : [];
}
