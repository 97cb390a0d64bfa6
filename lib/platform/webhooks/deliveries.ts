import { dayMs, timestamp } from '#lib/platform/clock.ts';
import { allOf, differs, present } from '#lib/platform/db/conditions.ts';
import type { Key } from '#lib/platform/db/keys/key.ts';
import { webhookKeys } from '#lib/platform/db/keys/webhooks.ts';
import { change, create, type ExtraWrites, type Write, write } from '#lib/platform/db/write.ts';
import { writeIfMet } from '#lib/platform/db/write-if-met.ts';
import { notFound, wrongState } from '#lib/platform/errors/failures.ts';
import { newId } from '#lib/platform/ids.ts';
import { planWork } from '#lib/platform/work/outbox.ts';
import { type Delivery, type DeliveryWork, findDelivery } from './delivery.ts';

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

function deliveryKey({ organizationId, sourceId, id }: Delivery): Key {
  return webhookKeys.webhookDelivery(organizationId, sourceId, id);
}

function planDeliveryWork({ organizationId, sourceId, id, workId }: Delivery): Write {
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

/**
 * Restarts a delivery with the same `webhook-id` and the full number of attempts.
 *
 * @throws 404 for an unknown delivery, 409 while it is still pending.
 */
export async function replayDelivery(
  wanted: DeliveryWork,
  extraWrites: ExtraWrites<Delivery>,
): Promise<Delivery> {
  const delivery = await findDelivery(wanted);
  if (!delivery) {
    throw notFound('Delivery');
  }
  if (delivery.body === undefined) {
    throw wrongState('The content of the delivery was erased', delivery.status);
  }
  const renewed: Delivery = {
    ...delivery,
    status: 'PENDING',
    attempts: 0,
    nextAttemptAt: timestamp(),
    workId: newId(),
  };
  const { status, attempts, nextAttemptAt, workId } = renewed;
  await write(
    ...(await extraWrites(renewed)),
    change(deliveryKey(delivery), {
      set: { status, attempts, nextAttemptAt, workId },
      when: allOf(differs('status', 'PENDING'), present('body')),
      onConditionFailed: (stored) =>
        stored ? wrongState('The delivery is still in progress', 'PENDING') : notFound('Delivery'),
    }),
    planDeliveryWork(renewed),
  );

  return renewed;
}

/** Replaces the content of a delivery, unless it was erased. */
export async function rewriteDelivery(delivery: Delivery, body: string): Promise<void> {
  await writeIfMet(change(deliveryKey(delivery), { set: { body }, when: present('body') }));
}

/** Removes the content of a delivery. The record is kept, and a pending delivery is not sent. */
export async function eraseDelivery(delivery: Delivery): Promise<void> {
  const isPending = delivery.status === 'PENDING';
  await writeIfMet(
    change(deliveryKey(delivery), {
      set: {
        body: null,
        ...(isPending
          ? {
              status: 'FAILED',
              nextAttemptAt: null,
              failureReason: 'The content of the delivery was erased',
            }
          : {}),
      },
    }),
  );
}
