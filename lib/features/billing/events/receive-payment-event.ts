import {
  isHandledEvent,
  type PaymentEvent,
  type PaymentEventDelivery,
  parsePaymentEvent,
} from '#lib/features/billing/payment-event.ts';
import { epochSeconds } from '#lib/platform/clock.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { create, write } from '#lib/platform/db/write.ts';
import { notAllowed } from '#lib/platform/errors/failures.ts';
import { getSecrets } from '#lib/platform/secrets/secrets.ts';
import { planWork } from '#lib/platform/work/outbox.ts';
import { isSignedByProvider } from '#lib/vendors/stripe/event-signature.ts';

/** The provider sends an event again for three days; its id is remembered for longer. */
const rememberedSeconds = 30 * 24 * 3_600;

class TakenAlready extends Error {}

/**
 * Takes an event of the provider: once, and bound to be worked off from then on. What nobody here
 * listens to is acknowledged.
 *
 * @throws 400 for a missing, wrong or old signature, or for what is no event.
 */
export async function receivePaymentEvent(
  signature: string | undefined,
  body: Buffer,
): Promise<void> {
  const { stripeWebhookSecrets } = await getSecrets();
  if (!isSignedByProvider(signature, body, stripeWebhookSecrets)) {
    throw notAllowed('Stripe-Signature must be a valid and recent signature of the body');
  }
  const delivery = parseEvent(body);
  if (!isHandledEvent(delivery)) {
    return;
  }
  const { id, ...event } = delivery;
  const owner = keys.paymentEvent(id);
  const work = planWork('paymentEvent', {
    owner,
    workId: id,
    payload: JSON.stringify(event satisfies PaymentEvent),
  });
  const { type, created } = event;
  const claim = { type, created, expiresAtSeconds: epochSeconds(rememberedSeconds) };
  try {
    await write(
      create(owner, claim, () => new TakenAlready()),
      work,
    );
  } catch (failure) {
    if (failure instanceof TakenAlready) {
      return;
    }
    throw failure;
  }
}

function parseEvent(body: Buffer): PaymentEventDelivery {
  try {
    return parsePaymentEvent(body);
  } catch {
    throw notAllowed('Request body must be an event of the payment provider');
  }
}
