import { findSocialAccount, type SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { interactionState } from '#lib/features/social/accounts/messaging-state.ts';
import { type CommentsPoll, pollsOfPushed } from '#lib/features/social/connection/comments-poll.ts';
import { withMessagingToken } from '#lib/features/social/tokens/fresh-credentials.ts';
import { hourMs, minuteMs, now, timestamp } from '#lib/platform/clock.ts';
import { atMostAtOnce } from '#lib/platform/concurrency.ts';
import { fullJitterMs } from '#lib/platform/db/backoff.ts';
import { equals } from '#lib/platform/db/conditions.ts';
import { socialKeys } from '#lib/platform/db/keys/social.ts';
import { type DueItem, findDueItems } from '#lib/platform/db/lists/due-work.ts';
import { get } from '#lib/platform/db/read.ts';
import { change, remove } from '#lib/platform/db/write.ts';
import { writeIfMet } from '#lib/platform/db/write-if-met.ts';
import { isSuspended } from '#lib/platform/identity/identity.ts';
import { describeFailure, logger } from '#lib/platform/log/logger.ts';
import { emitMetrics } from '#lib/platform/metrics/embedded-metrics.ts';
import { NetworkError } from '#lib/vendors/networks/network-error.ts';
import { lookupsOf } from '#lib/vendors/networks/ports/lookups.ts';
import type { Platform } from '#schemas/platforms.ts';
import { CommentBudgetSpentError, takeCommentCall } from './comment-budget.ts';
import { takeEvents } from './receive-events.ts';

const batchSize = 200;
const atOnce = 20;
/** Enough time for one more batch, in which each account may wait for its network. */
const reserveMs = 60_000;
/** Slightly shorter than the job's interval, so that every run includes every account. */
const pollEveryMs = 4 * minuteMs;
/**
 * Accounts without new comments are polled less often: after a tenth of the time since the last
 * comment.
 */
const silenceShare = 10;
const pollAtLeastEveryMs = hourMs;
/** Postponed accounts are spread randomly, so that the same ones are not always last. */
const waitSpreadMs = 10 * minuteMs;
/** Comments can appear later than their timestamp. Duplicates are ignored. */
const overlapMs = hourMs;

/**
 * `waiting`: postponed because of the network's rate limit or our daily budget. `missed`: comments
 * that their network should have pushed.
 */
export type PollReport = {
  readonly polled: number;
  readonly failed: number;
  readonly waiting: number;
  readonly missed: number;
};

/**
 * Fetches comments for accounts whose networks do not push them, starting with those that have
 * waited longest. Comments are processed like delivered events. Each account's due time is moved
 * first. So concurrent runs do not process the same account, and a failing account does not delay
 * others.
 */
export async function pollComments(remainingMs: () => number): Promise<PollReport> {
  const until = timestamp();
  let report: PollReport = { polled: 0, failed: 0, waiting: 0, missed: 0 };
  while (remainingMs() > reserveMs) {
    const due = await findDueItems('COMMENTS_POLL', batchSize, until);
    const outcomes = await atMostAtOnce(atOnce, due, pollItem);
    const count = (outcome: Outcome['outcome']) =>
      outcomes.filter((one) => one.outcome === outcome).length;
    report = {
      polled: report.polled + count('polled'),
      failed: report.failed + count('failed'),
      waiting: report.waiting + count('waiting'),
      missed: outcomes.reduce((sum, { missed = 0 }) => sum + missed, report.missed),
    };
    if (count('overtaken') === due.length) {
      break;
    }
  }

  emitMetrics({ CommentsNotPushed: { unit: 'Count', value: report.missed } });

  return report;
}

type Outcome = {
  readonly outcome: 'polled' | 'failed' | 'waiting' | 'overtaken';
  readonly missed?: number;
};

async function pollItem(item: DueItem): Promise<Outcome> {
  const poll = await takeTurn(item);
  if (!poll) {
    return { outcome: 'overtaken' };
  }
  const { organizationId, accountId } = poll;
  const [account, suspended] = await Promise.all([
    findSocialAccount(organizationId, accountId),
    isSuspended(organizationId),
  ]);
  if (suspended) {
    return { outcome: 'polled' };
  }
  if (!account) {
    await removePoll(poll);

    return { outcome: 'polled' };
  }
  try {
    return { outcome: 'polled', missed: await pollAccount(account, poll) };
  } catch (failure) {
    logger.warn('The comments of an account could not be fetched', {
      accountId,
      platform: account.platform,
      failure: describeFailure(failure),
    });
    const waitMs = waitAfter(failure);
    if (waitMs === undefined) {
      return { outcome: 'failed' };
    }
    await updatePoll(poll, { dueAt: timestamp(waitMs + fullJitterMs(waitSpreadMs)) });

    return { outcome: 'waiting' };
  }
}

/** Removes the poll of a deleted account. A reconnected account has a new poll, which is kept. */
async function removePoll({ organizationId, accountId, since }: CommentsPoll): Promise<void> {
  await writeIfMet(
    remove(socialKeys.commentsPoll(organizationId, accountId), { when: equals('since', since) }),
  );
}

/** Returns how long to wait if the failure is a rate limit. */
function waitAfter(failure: unknown): number | undefined {
  const isLimit =
    failure instanceof CommentBudgetSpentError ||
    (failure instanceof NetworkError && failure.kind === 'rateLimited');

  return isLimit ? Math.max(failure.retryAfterMs ?? 0, pollEveryMs) : undefined;
}

async function takeTurn(item: DueItem): Promise<CommentsPoll | undefined> {
  const poll = await get<CommentsPoll>({ pk: item.pk, sk: item.sk });
  if (!poll) {
    return undefined;
  }
  const isMine = await writeIfMet(
    change(item, {
      set: { dueAt: timestamp(untilNextPollMs(poll)) },
      when: equals('dueAt', item.dueAt),
    }),
  );

  return isMine ? poll : undefined;
}

/** Polls that only supplement pushed comments run hourly, to save the network's calls. */
function untilNextPollMs({ since, startedAt }: Pick<CommentsPoll, 'since' | 'startedAt'>): number {
  if (startedAt !== undefined) {
    return pollAtLeastEveryMs;
  }
  const silenceMs = now() - Date.parse(since);

  return Math.min(Math.max(silenceMs / silenceShare, pollEveryMs), pollAtLeastEveryMs);
}

/**
 * Stores the comments before moving `since`. A comment that is fetched twice is stored once.
 *
 * @returns the number of new comments that the network should have pushed.
 */
async function pollAccount(account: SocialAccount, poll: CommentsPoll): Promise<number> {
  if (interactionState(account) !== 'CONNECTED') {
    return 0;
  }
  const { platform } = account;
  const comments = await withMessagingToken(account, (credentials) =>
    lookupsOf(account.platform).fetchComments(credentials, firstMoment(platform, poll), () =>
      takeCommentCall(platform),
    ),
  );
  const added = await takeEvents(platform, comments);
  const { since: before, startedAt } = poll;
  const since = [before, ...comments.map(({ occurredAt }) => occurredAt)].toSorted().at(-1);
  if (since !== undefined && since !== before && startedAt === undefined) {
    await updatePoll(poll, { since, dueAt: timestamp(untilNextPollMs({ since })) });
  }

  return startedAt === undefined ? 0 : added;
}

function firstMoment(platform: Platform, { since, startedAt }: CommentsPoll): string {
  const windowMs = pollsOfPushed[platform]?.windowMs;
  if (windowMs === undefined || startedAt === undefined) {
    return new Date(Date.parse(since) - overlapMs).toISOString();
  }
  const beginning = timestamp(-windowMs);

  return beginning > startedAt ? beginning : startedAt;
}

/** Ignores conflicts: another run may have been faster, or the account may be gone. */
async function updatePoll(
  { organizationId, accountId, since }: CommentsPoll,
  set: { readonly since?: string; readonly dueAt: string },
): Promise<void> {
  await writeIfMet(
    change(socialKeys.commentsPoll(organizationId, accountId), {
      set,
      when: equals('since', since),
    }),
  );
}
