import { minuteMs } from '#lib/platform/clock.ts';
import { ApiError } from '#lib/platform/errors/api-error.ts';
import { describeFailure, logger } from '#lib/platform/log/logger.ts';
import type { WorkOutcome, WorkRequest } from '#lib/platform/work/worker.ts';
import { endAllSubscriptions, settleSubscription } from '#lib/vendors/stripe/subscriptions.ts';
import { attemptOf } from './settle-subscription.ts';
import type { SubscriptionRecord } from './subscription-record.ts';

const retryLater: WorkOutcome = { againInMs: 5 * minuteMs };

/**
 * Ends the subscriptions of a deleted organization, including one that is still being created.
 * Retries until the provider confirms.
 */
export async function endSubscription({ payload }: WorkRequest): Promise<WorkOutcome> {
  const record: SubscriptionRecord = JSON.parse(payload);
  try {
    if (record.status === 'creating' && (await settleSubscription(attemptOf(record))) === 'open') {
      return retryLater;
    }
    await endAllSubscriptions(record.customerId);

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
