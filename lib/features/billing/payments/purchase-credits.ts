import { cardUnknown, requireOwnCard } from '#lib/features/billing/cards/own-card.ts';
import { requireBillingCustomer } from '#lib/features/billing/customer/billing-customer.ts';
import { centsOf, creditsFor } from '#lib/features/billing/money.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { write } from '#lib/platform/db/write.ts';
import { paymentRequired, upstream } from '#lib/platform/errors/failures.ts';
import type { Intent } from '#lib/platform/http/request.ts';
import {
  CardDeclinedError,
  paymentDeclined,
  UnknownPaymentMethodError,
} from '#lib/vendors/stripe/payment-errors.ts';
import { chargeCard } from '#lib/vendors/stripe/payments.ts';
import { describePayment, findPayment, type PaymentRecord, planPayment } from './payment-record.ts';
import { creditPayment, failPayment } from './record-payment-outcome.ts';

export type Purchase = {
  /** The intent's id becomes the payment id. */
  readonly intent: Intent;
  readonly amount: number;
  readonly paymentMethodId: string;
};

/**
 * Buys credits. The payment is stored before the provider is called, so in the end it is either
 * charged and credited, or neither. A repeated request resumes its payment.
 *
 * @throws 404 if billing is not set up, 400 if the card is unknown, 402 if the card is declined or
 * needs authentication, 502 if the outcome is unknown; the scheduled reconciliation then resolves
 * it.
 */
export async function purchaseCredits(
  organizationId: string,
  actorId: string,
  purchase: Purchase,
): Promise<PaymentRecord> {
  const { intent, paymentMethodId } = purchase;
  const begun = intent.isRepeated ? await findPayment(organizationId, intent.id) : undefined;
  const payment = begun ?? (await createPayment(organizationId, actorId, purchase));
  if (payment.status === 'FAILED') {
    throw paymentRequired(payment.reason ?? failed, payment);
  }
  if (payment.status === 'PENDING') {
    await charge(payment, paymentMethodId);
  }

  return payment;
}

const failed = 'The payment failed';

async function createPayment(
  organizationId: string,
  actorId: string,
  { intent, amount, paymentMethodId }: Purchase,
): Promise<PaymentRecord> {
  const { customerId } = await requireBillingCustomer(organizationId);
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
  const outcome = await requestCharge(payment, paymentMethodId);
  const { intentId, status, reason = failed, needsAction } = outcome;
  if (status === 'open') {
    throw upstream('payment', new Error('The payment is still being processed'));
  }
  if (status === 'failed') {
    await failPayment(payment, { reason, declined: true, needsAction });
    throw paymentRequired(reason, outcome);
  }
  await creditPayment(payment, intentId);
}

async function requestCharge(payment: PaymentRecord, paymentMethodId: string) {
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
    if (failure instanceof CardDeclinedError) {
      const { message: reason, needsAction } = failure;
      await failPayment(payment, { reason, declined: true, needsAction });
      throw paymentDeclined(failure);
    }
    if (failure instanceof UnknownPaymentMethodError) {
      await failPayment(payment, { reason: failure.message, declined: true });
      throw cardUnknown();
    }
    throw failure;
  }
}
