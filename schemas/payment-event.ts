import type { ReadonlyDeep } from './contract.ts';
import * as z from './zod.ts';

/** The Stripe events that the service handles. All others are acknowledged and ignored. */
export const paymentEventTypes = [
  'payment_intent.succeeded',
  'payment_intent.payment_failed',
  'payment_intent.canceled',
  'customer.subscription.created',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'customer.subscription.paused',
  'customer.subscription.resumed',
  'invoice.paid',
  'charge.refunded',
  'charge.refund.updated',
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
] as const;

export type PaymentEventType = (typeof paymentEventTypes)[number];

const idOrObject = z.union([z.string(), z.object({ id: z.string() }).transform(({ id }) => id)]);

/** A Stripe webhook event, with only the fields that the service uses. */
export const paymentEventDelivery = z
  .object({
    id: z.string().min(1).max(255),
    type: z.string().min(1).max(255),
    created: z.int(),
    data: z.object({
      object: z.object({
        id: z.string().max(255).default(''),
        customer: idOrObject.nullish(),
        payment_intent: idOrObject.nullish(),
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
    /** The payment that a charge, refund or dispute belongs to. */
    paymentIntentId: object.payment_intent ?? undefined,
    metadata: object.metadata ?? {},
  }));

/**
 * The used part of an event: its kind and the id of its object. Events arrive late and in any
 * order, so the rest is read from Stripe when the event is processed.
 */
export const paymentEventWork = z.storedAsJson(
  z.object({
    type: z.enum(paymentEventTypes),
    created: z.number(),
    objectId: z.string().default(''),
    customerId: z
      .string()
      .nullish()
      .transform((id) => id ?? undefined),
    paymentIntentId: z
      .string()
      .nullish()
      .transform((id) => id ?? undefined),
    metadata: z
      .record(z.string(), z.string())
      .nullish()
      .transform((metadata) => metadata ?? {}),
  }),
);

export type PaymentEvent = ReadonlyDeep<z.output<typeof paymentEventWork>>;
