import { epochSeconds } from '#lib/clock.ts';
import { keys } from '#lib/db/keys.ts';
import { create, write } from '#lib/db/write.ts';
import { notAllowed } from '#lib/errors/failures.ts';
import { isSignedByProvider } from '#lib/payment/event-signature.ts';
import { getSecrets } from '#lib/secrets/secrets.ts';
import { planWork } from '#lib/work/outbox.ts';
import {
  isHandledEvent,
  type PaymentEvent,
  type PaymentEventDelivery,
  parsePaymentEvent,
} from './payment-event.ts';

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
      work.write,
    );
  } catch (failure) {
    if (failure instanceof TakenAlready) {
      return;
    }
    throw failure;
  }
  await work.dispatch();
}

function parseEvent(body: Buffer): PaymentEventDelivery {
  try {
    return parsePaymentEvent(body);
  } catch {
    throw notAllowed('Request body must be an event of the payment provider');
  }
}
