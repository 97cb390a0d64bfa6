import { keys, ranges } from '#lib/platform/db/keys.ts';
import { listPage, type Page, type PageRequest } from '#lib/platform/db/list.ts';
import { get, query } from '#lib/platform/db/read.ts';
import type { DeliveryStatus } from '#schemas/webhooks.ts';
import type { WorkPayload } from '#schemas/work-payloads.ts';
import type { WebhookTarget } from './endpoints.ts';

/** One event on its way to one receiver. Its id is the `webhook-id` of every try. */
export type Delivery = {
  readonly id: string;
  readonly organizationId: string;
  readonly sourceId: string;
  readonly type: string;
  /** What is sent, byte for byte the same on every try. */
  readonly body: string;
  readonly status: DeliveryStatus;
  /** Tries since it was last begun. */
  readonly attempts: number;
  readonly nextAttemptAt?: string | undefined;
  readonly responseStatus?: number;
  readonly failureReason?: string;
  readonly deliveredAt?: string;
  /** The work that delivers it. Work of an earlier round does nothing any more. */
  readonly workId: string;
  /** For the last event of a source that is gone by the time it is sent. */
  readonly target?: WebhookTarget | undefined;
  readonly createdAt: string;
};

export type DeliveryWork = WorkPayload<'webhook'>;

/** The deliveries of a source in the last 30 days, newest first. */
export function listDeliveries(
  organizationId: string,
  sourceId: string,
  request: PageRequest,
): Promise<Page<Delivery>> {
  return listPage<Delivery>(ranges.webhookDeliveries(organizationId, sourceId), request, () =>
    countDeliveries(organizationId, sourceId),
  );
}

async function countDeliveries(organizationId: string, sourceId: string): Promise<number> {
  const counters = await query<{ value: number }>(
    ranges.webhookDeliveryCounters(organizationId, sourceId),
  );

  return counters.reduce((total, { value }) => total + value, 0);
}

export function findDelivery({
  organizationId,
  sourceId,
  deliveryId,
}: DeliveryWork): Promise<Delivery | undefined> {
  return get<Delivery>(keys.webhookDelivery(organizationId, sourceId, deliveryId));
}
