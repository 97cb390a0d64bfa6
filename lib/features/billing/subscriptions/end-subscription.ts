import { minuteMs } from '#lib/platform/clock.ts';
import { ApiError } from '#lib/platform/errors/failures.ts';
import { describeFailure, logger } from '#lib/platform/log/logger.ts';
import type { WorkOutcome, WorkRequest } from '#lib/platform/work/worker.ts';
import { endAllSubscriptions, resolveSubscription } from '#lib/vendors/stripe/subscriptions.ts';
import { attemptOf } from './resolve-attempt.ts';

const retryLater: WorkOutcome = { againInMs: 5 * minuteMs };

/**
 * Ends the subscriptions of a deleted organization, including one that is still being created.
 * Retries until the provider confirms.
 */
export async function endSubscription({
  payload,
}: WorkRequest<'subscriptionEnd'>): Promise<WorkOutcome> {
  try {
    if (
      payload.status === 'creating' &&
      (await resolveSubscription(attemptOf(payload))) === 'open'
    ) {
      return retryLater;
    }
    await endAllSubscriptions(payload.customerId);

    return 'done';
  } catch (failure) {
    if (!(failure instanceof ApiError) || failure.kind !== 'upstream') {
      throw failure;
    }
    logger.warn('The subscription of a deleted organization could not be ended yet', {
      failure: describeFailure(failure),
    });

    return retryLater;
  }
}
