import type { WorkRequest } from '#lib/work/worker.ts';
import * as z from '#schemas/zod.ts';
import { settleAnnouncedPayment } from './announced-payment.ts';
import { creditAllowance } from './credit-allowance.ts';
import { followSubscription } from './follow-subscription.ts';
import type { PaymentEventType } from './payment-event-types.ts';

/** What is known of an event: of what kind it is, and what it is about. */
export type PaymentEvent = {
  readonly type: PaymentEventType;
  /** When the provider made it, in seconds since the epoch. */
  readonly created: number;
  readonly objectId: string;
  readonly customerId: string | undefined;
  readonly metadata: Readonly<Record<string, string>>;
};

const payloadSchema = z.object({
  type: z.custom<PaymentEventType>(),
  created: z.number(),
  objectId: z.string().default(''),
  customerId: z
    .string()
    .nullish()
    .transform((id) => id ?? undefined),
  metadata: z
    .record(z.string(), z.string())
    .nullish()
    .transform((values) => values ?? {}),
});

/**
 * What each event leads to. Events come late, twice and in any order: each of these reads how the
 * thing stands at the provider now, and does what has not been done yet.
 */
const handlers: Readonly<Record<PaymentEventType, (event: PaymentEvent) => Promise<void>>> = {
  'payment_intent.succeeded': settleAnnouncedPayment,
  'payment_intent.payment_failed': settleAnnouncedPayment,
  'payment_intent.canceled': settleAnnouncedPayment,
  'customer.subscription.created': followSubscription,
  'customer.subscription.updated': followSubscription,
  'customer.subscription.deleted': followSubscription,
  'customer.subscription.paused': followSubscription,
  'customer.subscription.resumed': followSubscription,
  'invoice.paid': creditAllowance,
};

/** Works off an event of the payment provider. */
export async function handlePaymentEvent({ payload }: WorkRequest): Promise<'done'> {
  const event: PaymentEvent = payloadSchema.parse(JSON.parse(payload));
  await handlers[event.type](event);

  return 'done';
}
