import { requireBillingAccount } from '#lib/features/billing/account/billing-account.ts';
import { cardUnknown, requireOwnCard } from '#lib/features/billing/cards/own-card.ts';
import { centsOf, creditsFor } from '#lib/features/billing/money.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { write } from '#lib/platform/db/write.ts';
import { paymentRequired, upstream } from '#lib/platform/errors/failures.ts';
import type { Intent } from '#lib/platform/http/request.ts';
import { CardRefused, PaymentMethodUnknown } from '#lib/vendors/stripe/payment-failures.ts';
import { chargeCard } from '#lib/vendors/stripe/payments.ts';
import { describePayment, findPayment, type PaymentRecord, planPayment } from './payment-record.ts';
import { creditPayment, failPayment } from './settle-payment.ts';

export type Purchase = {
  /** Its payment bears its id. */
  readonly intent: Intent;
  readonly amount: number;
  readonly paymentMethodId: string;
};

/**
 * Buys credits. The payment is written down before the provider is asked for it: whatever happens
 * then, it ends charged and credited, or neither. A repeated intent goes on with its payment.
 *
 * @throws 404 where billing is not set up, 400 for an unknown card, 402 where the card is refused
 *   or wants its owner; 502 where the outcome is not known: the scheduled check settles it.
 */
export async function purchaseCredits(
  organizationId: string,
  actorId: string,
  purchase: Purchase,
): Promise<PaymentRecord> {
  const { intent, paymentMethodId } = purchase;
  const begun = intent.isRepeated ? await findPayment(organizationId, intent.id) : undefined;
  const payment = begun ?? (await begin(organizationId, actorId, purchase));
  if (payment.status === 'FAILED') {
    throw paymentRequired(payment.reason ?? failed);
  }
  if (payment.status === 'PENDING') {
    await charge(payment, paymentMethodId);
  }

  return payment;
}

const failed = 'The payment failed';

/** Writes down that the payment is about to be asked for. */
async function begin(
  organizationId: string,
  actorId: string,
  { intent, amount, paymentMethodId }: Purchase,
): Promise<PaymentRecord> {
  const { customerId } = await requireBillingAccount(organizationId);
  const paymentMethod = await requireOwnCard(customerId, paymentMethodId);
  const amountCents = centsOf(amount);
  const payment: PaymentRecord = {
    paymentId: intent.id,
    organizationId,
    customerId,
    kind: 'credit_purchase',
    amountCents,
    credits: creditsFor(amountCents),
    status: 'PENDING',
    createdAt: timestamp(),
    actorId,
    paymentMethod,
  };
  await write(planPayment(payment));

  return payment;
}

async function charge(payment: PaymentRecord, paymentMethodId: string): Promise<void> {
  const { intentId, status, reason = failed } = await ask(payment, paymentMethodId);
  if (status === 'open') {
    throw upstream('payment', new Error('The payment is still being processed'));
  }
  if (status === 'failed') {
    await failPayment(payment, { reason, declined: true });
    throw paymentRequired(reason);
  }
  await creditPayment(payment, intentId);
}

async function ask(payment: PaymentRecord, paymentMethodId: string) {
  const { paymentId, organizationId, customerId, amountCents } = payment;
  try {
    return await chargeCard({
      paymentId,
      organizationId,
      customerId,
      paymentMethodId,
      amountCents,
      description: describePayment(payment),
      isUnattended: false,
    });
  } catch (failure) {
    if (failure instanceof CardRefused) {
      await failPayment(payment, { reason: failure.message, declined: true });
      throw paymentRequired(failure.message, failure);
    }
    if (failure instanceof PaymentMethodUnknown) {
      await failPayment(payment, { reason: failure.message, declined: true });
      throw cardUnknown();
    }
    throw failure;
  }
}
