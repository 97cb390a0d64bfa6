import { epochSeconds } from '#lib/clock.ts';
import { keys } from '#lib/db/keys.ts';
import { create, write } from '#lib/db/write.ts';
import { notAllowed } from '#lib/errors/failures.ts';
import { isSignedByProvider } from '#lib/payment/event-signature.ts';
import { getSecrets } from '#lib/secrets/secrets.ts';
import { planWork } from '#lib/work/outbox.ts';
import * as z from '#schemas/zod.ts';
import { isHandledEvent } from './payment-event-types.ts';

/** The provider sends an event again for three days; its id is remembered for longer. */
const rememberedSeconds = 30 * 24 * 3_600;

const named = z.union([z.string(), z.object({ id: z.string() }).transform(({ id }) => id)]);

/** What is used of an event. The rest is read afresh, as events come late and in any order. */
const eventSchema = z.object({
  id: z.string().min(1).max(255),
  type: z.string().min(1).max(255),
  created: z.int(),
  data: z.object({
    object: z.object({
      id: z.string().max(255).optional(),
      customer: named.nullish(),
      metadata: z.record(z.string(), z.string()).nullish(),
    }),
  }),
});

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
    throw notAllowed('Stripe-Signature must be a valid, recent signature of the body');
  }
  const { id, type, created, data } = parseEvent(body);
  if (!isHandledEvent(type)) {
    return;
  }
  const { id: objectId, customer, metadata } = data.object;
  const owner = keys.paymentEvent(id);
  const work = planWork('paymentEvent', {
    owner,
    workId: id,
    payload: JSON.stringify({ type, created, objectId, customerId: customer, metadata }),
  });
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

function parseEvent(body: Buffer): z.output<typeof eventSchema> {
  try {
    return eventSchema.parse(JSON.parse(body.toString('utf8')));
  } catch {
    throw notAllowed('Request body must be a payment provider event');
  }
}
