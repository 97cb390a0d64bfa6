import { timestamp } from '#lib/platform/clock.ts';
import { atMostAtOnce } from '#lib/platform/concurrency.ts';
import { absent, allOf, below, either, equals } from '#lib/platform/db/conditions.ts';
import { webhookRanges } from '#lib/platform/db/keys/webhooks.ts';
import { query, queryPages } from '#lib/platform/db/read.ts';
import { change } from '#lib/platform/db/write.ts';
import { writeIfMet } from '#lib/platform/db/write-if-met.ts';
import { firstIdAt } from '#lib/platform/ids.ts';
import type { OutboxItem } from '#lib/platform/work/outbox.ts';
import { rewriteDelivery } from './change-delivery.ts';
import type { Delivery } from './delivery.ts';
import type { WebhookEndpoint } from './endpoints.ts';

const sourcesAtOnce = 8;

/** Returns the corrected JSON of an event, or undefined if it is already correct. */
type Rewrite = (json: string) => string | undefined;

/**
 * Rewrites the stored events of an organization since a given time: first the events without
 * deliveries, then the deliveries of all its webhooks, which may still be sent or replayed.
 *
 * @param sourceIds more sources that may have had a webhook.
 * @returns false if a worker holds one of the events. Call it again then.
 */
export async function rewriteEvents(
  organizationId: string,
  { sinceMs, sourceIds }: { readonly sinceMs: number; readonly sourceIds: readonly string[] },
  rewrite: Rewrite,
): Promise<boolean> {
  const waiting = await query<OutboxItem>(webhookRanges.waitingEvents(organizationId));
  let isWhole = true;
  for (const { payload, ...key } of waiting) {
    const rewritten = rewrite(payload);
    const isFree = either(absent('leaseUntil'), below('leaseUntil', timestamp()));
    const when = allOf(equals('payload', payload), isFree);
    if (rewritten && !(await writeIfMet(change(key, { set: { payload: rewritten }, when })))) {
      isWhole = false;
    }
  }
  const endpoints = await query<WebhookEndpoint>(webhookRanges.webhookEndpoints(organizationId));
  const sources = new Set([...endpoints.map(({ sourceId }) => sourceId), ...sourceIds]);
  await atMostAtOnce(sourcesAtOnce, [...sources], async (sourceId) => {
    const range = webhookRanges.webhookDeliveriesFrom(organizationId, sourceId, firstIdAt(sinceMs));
    const attributes = ['organizationId', 'sourceId', 'id', 'body'];
    for await (const page of queryPages<Delivery>(range, { attributes })) {
      for (const delivery of page) {
        const body = delivery.body && rewrite(delivery.body);
        await (body ? rewriteDelivery(delivery, body) : undefined);
      }
    }
  });

  return isWhole;
}
