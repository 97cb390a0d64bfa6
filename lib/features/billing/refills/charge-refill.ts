import {
  describePayment,
  findPayment,
  type PaymentRecord,
} from '#lib/features/billing/payments/payment-record.ts';
import {
  creditPayment,
  failPayment,
} from '#lib/features/billing/payments/record-payment-outcome.ts';
import { absent, allOf, equals } from '#lib/platform/db/conditions.ts';
import { billingKeys } from '#lib/platform/db/keys/billing.ts';
import { change } from '#lib/platform/db/write.ts';
import { writeIfMet } from '#lib/platform/db/write-if-met.ts';
import { ApiError } from '#lib/platform/errors/failures.ts';
import { describeFailure, logger } from '#lib/platform/log/logger.ts';
import type { WorkRequest } from '#lib/platform/work/worker.ts';
import {
  CardDeclinedError,
  UnknownPaymentMethodError,
} from '#lib/vendors/stripe/payment-errors.ts';
import { chargeCard, findDefaultCard } from '#lib/vendors/stripe/payments.ts';
import { refillWhenLow } from './start-refill.ts';

/**
 * Charges the card for a refill. Safe to call again after a crash, because the provider charges
 * each payment once. If the provider does not respond, the scheduled reconciliation resolves the
 * payment.
 */
export async function chargeRefill({ payload }: WorkRequest<'refillCharge'>): Promise<'done'> {
  const { organizationId, paymentId } = payload;
  const payment = await findPayment(organizationId, paymentId);
  if (payment?.status === 'PENDING') {
    await tryCharge(payment);
    // After a rejected refill, report that credits are low.
    await refillWhenLow(organizationId);
  }

  return 'done';
}

async function tryCharge(payment: PaymentRecord): Promise<void> {
  try {
    await charge(payment);
  } catch (failure) {
    if (failure instanceof CardDeclinedError || failure instanceof UnknownPaymentMethodError) {
      await failPayment(payment, { reason: failure.message, declined: true });
    } else if (failure instanceof ApiError && failure.kind === 'upstream') {
      logger.warn('The outcome of a refill is not known; the scheduled check will settle it', {
        paymentId: payment.paymentId,
        failure: describeFailure(failure),
      });
    } else {
      throw failure;
    }
  }
}

async function charge(payment: PaymentRecord): Promise<void> {
  const chosen = await ensureCard(payment);
  if (!chosen) {
    return;
  }
  const {
    intentId,
    status,
    reason = 'The payment failed',
  } = await chargeCard({
    paymentId: payment.paymentId,
    organizationId: payment.organizationId,
    customerId: payment.customerId,
    paymentMethodId: chosen.paymentMethod.id,
    amountCents: payment.amountCents,
    description: describePayment(payment),
    isUnattended: true,
  });
  if (status === 'succeeded') {
    await creditPayment(chosen, intentId);
  } else if (status === 'failed') {
    await failPayment(chosen, { reason, declined: true });
  }
}

type PaymentWithCard = PaymentRecord & Required<Pick<PaymentRecord, 'paymentMethod'>>;

/**
 * Stores the card before charging it, because an idempotent retry must send identical parameters.
 */
async function ensureCard(payment: PaymentRecord): Promise<PaymentWithCard | undefined> {
  if (payment.paymentMethod) {
    return { ...payment, paymentMethod: payment.paymentMethod };
  }
  const paymentMethod = await findDefaultCard(payment.customerId);
  if (!paymentMethod) {
    await failPayment(payment, { reason: 'No default payment method', declined: true });

    return undefined;
  }
  const isWritten = await writeIfMet(
    change(billingKeys.payment(payment.organizationId, payment.paymentId), {
      set: { paymentMethod },
      when: allOf(equals('status', 'PENDING'), absent('paymentMethod')),
    }),
  );
  if (!isWritten) {
    return undefined;
  }

  return { ...payment, paymentMethod };
}
