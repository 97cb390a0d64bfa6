import { timestamp } from '#lib/platform/clock.ts';
import { allOf, differs, present } from '#lib/platform/db/conditions.ts';
import { change, type ExtraWrites, write } from '#lib/platform/db/write.ts';
import { writeIfMet } from '#lib/platform/db/write-if-met.ts';
import { notFound, wrongState } from '#lib/platform/errors/failures.ts';
import { newId } from '#lib/platform/ids.ts';
import { deliveryKey, planDeliveryWork } from './deliveries.ts';
import { type Delivery, type DeliveryWork, findDelivery } from './delivery.ts';

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
