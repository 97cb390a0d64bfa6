import { dayMs, timestamp } from '#lib/platform/clock.ts';
import type { Key } from '#lib/platform/db/keys/key.ts';
import { webhookKeys } from '#lib/platform/db/keys/webhooks.ts';
import { change, create, type Write } from '#lib/platform/db/write.ts';
import { newId } from '#lib/platform/ids.ts';
import { planWork } from '#lib/platform/work/outbox.ts';
import type { EventType } from '#schemas/event-types.ts';
import type { Delivery, DeliveryWork } from './delivery.ts';
import { targetOf, type WebhookEndpoint } from './endpoints.ts';

const retentionDays = 30;
const counterShards = 4;

/** All deliveries of a day expire together with their counter, so that the total stays exact. */
function endOfLife(createdAt: string): number {
  const day = Math.floor(Date.parse(createdAt) / dayMs);

  return ((day + 1 + retentionDays) * dayMs) / 1_000;
}

function shardOf(deliveryId: string): number {
  return Number.parseInt(deliveryId.slice(-1), 16) % counterShards;
}

export function deliveryKey({ organizationId, sourceId, id }: Delivery): Key {
  return webhookKeys.webhookDelivery(organizationId, sourceId, id);
}

export function planDeliveryWork({ organizationId, sourceId, id, workId }: Delivery): Write {
  const payload: DeliveryWork = { organizationId, sourceId, deliveryId: id };

  return planWork('webhook', {
    owner: webhookKeys.webhookDelivery(organizationId, sourceId, id),
    payload,
    workId,
  });
}

type Source = Pick<Delivery, 'organizationId' | 'sourceId'>;

export type NewDelivery = Pick<Delivery, 'type' | 'target'> & {
  readonly data: unknown;
  /** When the event happened. Default: now. */
  readonly timestamp?: string;
};

function newDelivery(
  { organizationId, sourceId }: Source,
  { type, target, data, timestamp: happenedAt }: NewDelivery,
  createdAt: string,
): Delivery {
  return {
    organizationId,
    sourceId,
    type,
    target,
    id: newId(),
    body: JSON.stringify({ type, timestamp: happenedAt ?? createdAt, data }),
    status: 'PENDING',
    attempts: 0,
    nextAttemptAt: createdAt,
    workId: newId(),
    createdAt,
  };
}

/**
 * Plans deliveries of one source, with their counter and work, for the transaction of the change.
 */
export function planDeliveries(source: Source, events: readonly NewDelivery[]): readonly Write[] {
  const createdAt = timestamp();
  const deliveries = events.map((event) => newDelivery(source, event, createdAt));
  const [first] = deliveries;
  if (!first) {
    return [];
  }
  const { organizationId, sourceId } = source;
  const expiresAtSeconds = endOfLife(createdAt);
  // One counter for all deliveries, because a transaction can write an item only once.
  const counter = webhookKeys.webhookDeliveryCounter(
    organizationId,
    sourceId,
    createdAt.slice(0, 10),
    shardOf(first.id),
  );

  return [
    ...deliveries.map((delivery) =>
      create(deliveryKey(delivery), { ...delivery, expiresAtSeconds }),
    ),
    change(counter, {
      add: { value: deliveries.length },
      set: { expiresAtSeconds },
      orCreate: true,
    }),
    ...deliveries.map(planDeliveryWork),
  ];
}

export type OutsideEvent = {
  readonly type: EventType;
  readonly data: unknown;
  /** The source is deleted with this event, so the target is stored on the delivery. */
  readonly isLast?: boolean;
};

/**
 * Plans an event for a source's endpoint. Plans nothing if there is no endpoint or it is switched
 * off.
 */
export function planEvent(
  endpoint: WebhookEndpoint | undefined,
  event: OutsideEvent,
): readonly Write[] {
  return planEvents(endpoint, [event]);
}

/**
 * Plans several events together, because separate plans for one endpoint would conflict in a
 * transaction.
 */
export function planEvents(
  endpoint: WebhookEndpoint | undefined,
  events: readonly OutsideEvent[],
): readonly Write[] {
  const target = targetOf(endpoint);
  if (!endpoint || !target) {
    return [];
  }

  return planDeliveries(
    endpoint,
    events.map(({ type, data, isLast = false }) => ({
      type,
      data,
      ...(isLast ? { target } : {}),
    })),
  );
}
