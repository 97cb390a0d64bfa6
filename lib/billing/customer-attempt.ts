import { minuteMs } from '#lib/clock.ts';
import { keys } from '#lib/db/keys.ts';
import { discard, write } from '#lib/db/write.ts';
import type { ApiError } from '#lib/errors/api-error.ts';
import { badRequest, notAllowed } from '#lib/errors/failures.ts';
import { newId } from '#lib/ids.ts';
import { createCustomer, type NewCustomer } from '#lib/payment/customers.ts';
import {
  CardRefused,
  EmailRefused,
  isWithoutEffect,
  PaymentMethodUnknown,
} from '#lib/payment/payment-failures.ts';
import { planWork, type Work } from '#lib/work/outbox.ts';

/** Well after the longest that a request can run: whatever is left then belongs to nobody. */
const abandonedAfterMs = 10 * minuteMs;

/** That a customer is about to be made, as it is written down before the provider is asked. */
export type CustomerAttempt = Pick<Work, 'write'> & Pick<NewCustomer, 'email' | 'signupAttemptId'>;

/** The attempt is work for the day when nobody else has finished it. */
export function planCustomerAttempt(email: string): CustomerAttempt {
  const attemptId = newId();
  const { write: written } = planWork('signupCleanup', {
    owner: keys.signupAttempt(attemptId),
    workId: attemptId,
    payload: JSON.stringify({ attemptId, email }),
    sweepAfterMs: abandonedAfterMs,
  });

  return { email, signupAttemptId: attemptId, write: written };
}

/**
 * Makes the customer of an attempt that stands in the table. Where the provider has made none, for
 * certain, the attempt is struck out; where nobody knows, it is left to the sweep.
 *
 * @throws 400 where the provider refuses card or address, 502 where it is down.
 */
export async function makeCustomer(
  { write: written, ...attempt }: CustomerAttempt,
  customer: Pick<NewCustomer, 'name' | 'paymentMethodId'>,
): Promise<string> {
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

/** What the provider has against the input, in the words of this service. */
function refusalOf(failure: unknown): ApiError | undefined {
  if (failure instanceof CardRefused) {
    return notAllowed(failure.message, { cause: failure });
  }
  if (failure instanceof PaymentMethodUnknown) {
    return badRequest('paymentMethodId must be a usable payment method');
  }

  return failure instanceof EmailRefused
    ? badRequest('email must be an address that the payment provider accepts')
    : undefined;
}
