import { minuteMs } from '#lib/platform/clock.ts';
import { userKeys } from '#lib/platform/db/keys/users.ts';
import { discard, type Write, write } from '#lib/platform/db/write.ts';
import { type ApiError, apiError, badRequest } from '#lib/platform/errors/failures.ts';
import { newId } from '#lib/platform/ids.ts';
import { planWork } from '#lib/platform/work/outbox.ts';
import {
  type CreatedCustomer,
  createCustomer,
  type NewCustomer,
} from '#lib/vendors/stripe/customers.ts';
import {
  CardDeclinedError,
  EmailRejectedError,
  isWithoutEffect,
  UnknownPaymentMethodError,
} from '#lib/vendors/stripe/payment-errors.ts';

/**
 * Much longer than the longest request timeout, so the request of such an attempt is no longer
 * running.
 */
const abandonedAfterMs = 10 * minuteMs;

/** An attempt to create a customer, stored before the provider is called. */
export type CustomerAttempt = { readonly write: Write } & Pick<
  NewCustomer,
  'email' | 'signupAttemptId'
>;

/** Plans the attempt as scheduled work, so that an unfinished attempt is cleaned up later. */
export function planCustomerAttempt(email: string): CustomerAttempt {
  const attemptId = newId();
  const work = planWork('signupCleanup', {
    owner: userKeys.signupAttempt(attemptId),
    workId: attemptId,
    payload: { attemptId, email },
    sweepAfterMs: abandonedAfterMs,
    leaveToSweep: true,
  });

  return { email, signupAttemptId: attemptId, write: work };
}

/**
 * Creates the customer for a stored attempt. If the provider definitely created nothing, the
 * attempt is deleted. If the outcome is unknown, the scheduled cleanup resolves it.
 *
 * @throws 400 if the provider rejects the card or email address, 502 if the provider is
 *   unavailable.
 */
export async function makeCustomer(
  { write: written, ...attempt }: CustomerAttempt,
  customer: Pick<NewCustomer, 'name' | 'paymentMethodId'>,
): Promise<CreatedCustomer> {
  try {
    return await createCustomer({ ...attempt, ...customer });
  } catch (failure) {
    const refusal = refusalOf(failure);
    if (refusal || isWithoutEffect(failure)) {
      await write(discard(written.key));
    }
    throw refusal ?? failure;
  }
}

function refusalOf(failure: unknown): ApiError | undefined {
  if (failure instanceof CardDeclinedError) {
    return apiError('CARD_REFUSED', failure.message, { cause: failure });
  }
  if (failure instanceof UnknownPaymentMethodError) {
    return badRequest('paymentMethodId must be a usable payment method');
  }

  return failure instanceof EmailRejectedError
    ? badRequest('email must be an address that the payment provider accepts')
    : undefined;
}
