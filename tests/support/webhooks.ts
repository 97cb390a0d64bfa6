import { keys } from '#lib/platform/db/keys.ts';
import { change, put, write } from '#lib/platform/db/write.ts';
import type { Delivery } from '#lib/platform/webhooks/delivery.ts';
import { newWebhookEndpoint } from '#lib/platform/webhooks/endpoints.ts';
import { planEvent } from '#lib/platform/webhooks/events.ts';
import type { EventType } from '#schemas/event-types.ts';

/** Stores a delivery whose attempts are used up, for an endpoint that does not exist. */
export async function storeFailedDelivery(
  organizationId: string,
  sourceId: string,
  type: string = 'content.published',
): Promise<string> {
  const url = 'https://hooks.example.com/';
  const { endpoint } = await newWebhookEndpoint(organizationId, sourceId, url);
  const writes = planEvent(endpoint, { type: type as EventType, data: {} });
  await write(put(keys.webhookEndpoint(organizationId, sourceId), endpoint), ...writes);
  const stored = writes.map(({ item }) => item as Partial<Delivery> | undefined);
  const id = String(stored.find((item) => item?.workId)?.id);
  await write(
    change(keys.webhookDelivery(organizationId, sourceId, id), {
      set: { status: 'FAILED', nextAttemptAt: null },
    }),
  );

  return id;
}
