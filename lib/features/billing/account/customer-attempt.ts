import { minuteMs } from '#lib/platform/clock.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { discard, type Write, write } from '#lib/platform/db/write.ts';
import type { ApiError } from '#lib/platform/errors/api-error.ts';
import { badRequest, notAllowed } from '#lib/platform/errors/failures.ts';
import { newId } from '#lib/platform/ids.ts';
import { planWork } from '#lib/platform/work/outbox.ts';
import { createCustomer, type NewCustomer } from '#lib/vendors/stripe/customers.ts';
import {
  CardRefused,
  EmailRefused,
  isWithoutEffect,
  PaymentMethodUnknown,
} from '#lib/vendors/stripe/payment-failures.ts';

/** Well after the longest that a request can run: whatever is left then belongs to nobody. */
const abandonedAfterMs = 10 * minuteMs;

/** That a customer is about to be made, as it is written down before the provider is asked. */
export type CustomerAttempt = { readonly write: Write } & Pick<
  NewCustomer,
  'email' | 'signupAttemptId'
>;

/** The attempt is work for the day when nobody else has finished it. */
export function planCustomerAttempt(email: string): CustomerAttempt {
  const attemptId = newId();
  const work = planWork('signupCleanup', {
    owner: keys.signupAttempt(attemptId),
    workId: attemptId,
    payload: JSON.stringify({ attemptId, email }),
    sweepAfterMs: abandonedAfterMs,
    leaveToSweep: true,
  });

  return { email, signupAttemptId: attemptId, write: work };
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
    return badRequest('paymentMethodId must be a payment method that can be used');
  }

  return failure instanceof EmailRefused
    ? badRequest('email must be an address that the payment provider takes')
    : undefined;
}
