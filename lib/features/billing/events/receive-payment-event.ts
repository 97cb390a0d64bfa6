import { epochSeconds } from '#lib/platform/clock.ts';
import { billingKeys } from '#lib/platform/db/keys/billing.ts';
import { create } from '#lib/platform/db/write.ts';
import { writeUnlessTaken } from '#lib/platform/db/write-if-met.ts';
import { bodyInvalid, signatureInvalid } from '#lib/platform/errors/failures.ts';
import { getSecrets } from '#lib/platform/secrets/secrets.ts';
import { planWork } from '#lib/platform/work/outbox.ts';
import { isSignedByProvider } from '#lib/vendors/stripe/event-signature.ts';
import {
  type PaymentEventType,
  paymentEventDelivery,
  paymentEventTypes,
} from '#schemas/payment-event.ts';

/** Stripe retries an event for three days. Its id is kept longer to detect duplicates. */
const retentionSeconds = 30 * 24 * 3_600;

/**
 * Accepts a Stripe event once, and guarantees that it is processed. Event types without a handler
 * are acknowledged and ignored.
 *
 * @throws 400 for a missing, wrong or expired signature, or a body that is not an event.
 */
export async function receivePaymentEvent(
  signature: string | undefined,
  body: Buffer,
): Promise<void> {
  const { stripeWebhookSecrets } = await getSecrets();
  if (!isSignedByProvider(signature, body, stripeWebhookSecrets)) {
    throw signatureInvalid(
      'Stripe-Signature must be a valid, recent signature of the body',
      'badRequest',
    );
  }
  const delivery = parseEvent(body);
  if (!isHandledEvent(delivery)) {
    return;
  }
  const { id, ...event } = delivery;
  const owner = billingKeys.paymentEvent(id);
  const work = planWork('paymentEvent', {
    owner,
    workId: id,
    payload: event,
  });
  const { type, created } = event;
  const claim = { type, created, expiresAtSeconds: epochSeconds(retentionSeconds) };
  await writeUnlessTaken([create(owner, claim)], [work]);
}

function parseEvent(body: Buffer) {
  try {
    return paymentEventDelivery.parse(JSON.parse(body.toString('utf8')));
  } catch {
    throw bodyInvalid('Request body must be a payment provider event');
  }
}

function isHandledEvent<E extends { readonly type: string }>(
  event: E,
): event is E & { readonly type: PaymentEventType } {
  return paymentEventTypes.some((type) => type === event.type);
}
