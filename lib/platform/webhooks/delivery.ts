import { webhookKeys, webhookRanges } from '#lib/platform/db/keys/webhooks.ts';
import type { PageRequest } from '#lib/platform/db/lists/cursor.ts';
import { listPage, type Page } from '#lib/platform/db/lists/list.ts';
import { get, query } from '#lib/platform/db/read.ts';
import type { WorkPayload } from '#schemas/messages.ts';
import type { DeliveryStatus } from '#schemas/webhooks.ts';
import type { WebhookTarget } from './endpoints.ts';

/** The delivery of one event to one receiver. Its id is the `webhook-id` of every attempt. */
export type Delivery = {
  readonly id: string;
  readonly organizationId: string;
  readonly sourceId: string;
  readonly type: string;
  /**
   * The request body, byte for byte the same in every attempt. It changes only if its message is
   * changed or withdrawn. Absent after it was erased.
   */
  readonly body?: string;
  readonly status: DeliveryStatus;
  /** Attempts since the delivery was last started. */
  readonly attempts: number;
  readonly nextAttemptAt?: string | undefined;
  readonly responseStatus?: number;
  readonly failureReason?: string;
  readonly deliveredAt?: string;
  /** The current work item. Work of earlier rounds is ignored. */
  readonly workId: string;
  /**
   * Set for the last event of a source, because the endpoint no longer exists when the event is
   * sent.
   */
  readonly target?: WebhookTarget | undefined;
  readonly createdAt: string;
};

export type DeliveryWork = WorkPayload<'webhook'>;

/** Returns the deliveries of a source in the last 30 days, newest first. */
export function listDeliveries(
  organizationId: string,
  sourceId: string,
  request: PageRequest,
): Promise<Page<Delivery>> {
  return listPage<Delivery>(
    webhookRanges.webhookDeliveries(organizationId, sourceId),
    request,
    () => countDeliveries(organizationId, sourceId),
  );
}

async function countDeliveries(organizationId: string, sourceId: string): Promise<number> {
  const counters = await query<{ value: number }>(
    webhookRanges.webhookDeliveryCounters(organizationId, sourceId),
  );

  return counters.reduce((total, { value }) => total + value, 0);
}

export function findDelivery({
  organizationId,
  sourceId,
  deliveryId,
}: DeliveryWork): Promise<Delivery | undefined> {
  return get<Delivery>(webhookKeys.webhookDelivery(organizationId, sourceId, deliveryId));
}
