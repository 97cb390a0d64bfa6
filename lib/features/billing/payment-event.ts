import * as z from '#schemas/zod.ts';

/** The Stripe events that something here depends on. All others are acknowledged and ignored. */
const paymentEventTypes = [
  'payment_intent.succeeded',
  'payment_intent.payment_failed',
  'payment_intent.canceled',
  'customer.subscription.created',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'customer.subscription.paused',
  'customer.subscription.resumed',
  'invoice.paid',
] as const;

export type PaymentEventType = (typeof paymentEventTypes)[number];

/**
 * The part of an event that is used: which kind it is and which object it concerns. Events arrive
 * late and in any order, so everything else is read from Stripe when the event is processed.
 */
export type PaymentEvent = {
  readonly type: PaymentEventType;
  /** When Stripe created it, in seconds since the epoch. */
  readonly created: number;
  readonly objectId: string;
  readonly customerId: string | undefined;
  readonly metadata: Readonly<Record<string, string>>;
};

const idOrObject = z.union([z.string(), z.object({ id: z.string() }).transform(({ id }) => id)]);

const deliverySchema = z
  .object({
    id: z.string().min(1).max(255),
    type: z.string().min(1).max(255),
    created: z.int(),
    data: z.object({
      object: z.object({
        id: z.string().max(255).default(''),
        customer: idOrObject.nullish(),
        metadata: z.record(z.string(), z.string()).nullish(),
      }),
    }),
  })
  .transform(({ id, type, created, data: { object } }) => ({
    id,
    type,
    created,
    objectId: object.id,
    customerId: object.customer ?? undefined,
    metadata: object.metadata ?? {},
  }));

export type PaymentEventDelivery = Omit<PaymentEvent, 'type'> & {
  readonly id: string;
  readonly type: string;
};

/** Parses the body of a delivery. @throws ZodError or SyntaxError for anything but a Stripe event. */
export function parsePaymentEvent(body: Buffer): PaymentEventDelivery {
  return deliverySchema.parse(JSON.parse(body.toString('utf8')));
}

/** True if something here depends on events of this type. */
export function isHandledEvent<E extends { readonly type: string }>(
  event: E,
): event is E & { readonly type: PaymentEventType } {
  return paymentEventTypes.some((type) => type === event.type);
}
