import { findSocialAccount, type SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { interactionState } from '#lib/features/social/accounts/messaging-state.ts';
import { withMessagingToken } from '#lib/features/social/tokens/fresh-credentials.ts';
import { hourMs, minuteMs, now, timestamp } from '#lib/platform/clock.ts';
import { atMostAtOnce } from '#lib/platform/concurrency.ts';
import { equals } from '#lib/platform/db/conditions.ts';
import { type DueItem, dueIn, findDueItems } from '#lib/platform/db/due-work.ts';
import { fullJitterMs } from '#lib/platform/db/jitter.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { get } from '#lib/platform/db/read.ts';
import { change, create, remove, type Write } from '#lib/platform/db/write.ts';
import { writeIfMet } from '#lib/platform/db/write-if-met.ts';
import { describeFailure, logger } from '#lib/platform/log/logger.ts';
import { capabilities } from '#lib/vendors/networks/capabilities.ts';
import { NetworkError } from '#lib/vendors/networks/network-error.ts';
import { CommentBudgetSpentError, takeCommentCall } from './comment-budget.ts';
import { takeEvents } from './receive-events.ts';

/** An account's poll state. All comments up to `since` are known. */
export type CommentsPoll = {
  readonly organizationId: string;
  readonly accountId: string;
  readonly since: string;
};

const batchPerShard = 50;
const atOnce = 20;
/** Enough time for one more batch, in which each account may wait for its network. */
const reserveMs = 60_000;
/** Slightly shorter than the job's interval, so that every run includes every account. */
const pollEveryMs = 4 * minuteMs;
/** Quiet accounts are polled less often: after a tenth of the time since the last comment. */
const silenceShare = 10;
const pollAtLeastEveryMs = hourMs;
/** Postponed accounts are spread randomly, so that the same ones are not always last. */
const waitSpreadMs = 10 * minuteMs;
/** Comments can appear later than their timestamp. Duplicates are discarded. */
const overlapMs = hourMs;

/** `waiting`: postponed because of the network's rate limit or our daily budget. */
export type PollReport = {
  readonly polled: number;
  readonly failed: number;
  readonly waiting: number;
};

/** Adds an account to the polling schedule, if its network does not push comments. */
export function planCommentsPoll({
  organizationId,
  id: accountId,
  platform,
}: Pick<SocialAccount, 'organizationId' | 'id' | 'platform'>): readonly Write[] {
  if (!capabilities[platform].pollsComments) {
    return [];
  }
  const poll: CommentsPoll = { organizationId, accountId, since: timestamp() };

  return [
    create(keys.commentsPoll(organizationId, accountId), {
      ...poll,
      ...dueIn('COMMENTS_POLL', timestamp()),
    }),
  ];
}

/**
 * Fetches comments for accounts whose networks do not push them, starting with those that have
 * waited longest. Comments are processed like delivered events. Each account's due time is moved
 * first. So concurrent runs do not process the same account, and a failing account delays no other.
 */
export async function pollComments(remainingMs: () => number): Promise<PollReport> {
  const until = timestamp();
  let report: PollReport = { polled: 0, failed: 0, waiting: 0 };
  while (remainingMs() > reserveMs) {
    const due = await findDueItems('COMMENTS_POLL', batchPerShard, until);
    const outcomes = await atMostAtOnce(atOnce, due, pollItem);
    const count = (outcome: Outcome) => outcomes.filter((one) => one === outcome).length;
    report = {
      polled: report.polled + count('polled'),
      failed: report.failed + count('failed'),
      waiting: report.waiting + count('waiting'),
    };
    if (count('overtaken') === due.length) {
      break;
    }
  }

  return report;
}

type Outcome = 'polled' | 'failed' | 'waiting' | 'overtaken';

async function pollItem(item: DueItem): Promise<Outcome> {
  const poll = await takeTurn(item);
  if (!poll) {
    return 'overtaken';
  }
  const { organizationId, accountId } = poll;
  const account = await findSocialAccount(organizationId, accountId);
  if (!account) {
    await removePoll(poll);

    return 'polled';
  }
  try {
    await pollAccount(account, poll);

    return 'polled';
  } catch (failure) {
    logger.warn('The comments of an account could not be fetched', {
      accountId,
      platform: account.platform,
      failure: describeFailure(failure),
    });
    const waitMs = waitAfter(failure);
    if (waitMs === undefined) {
      return 'failed';
    }
    await updatePoll(poll, { dueAt: timestamp(waitMs + fullJitterMs(waitSpreadMs)) });

    return 'waiting';
  }
}

/** Removes the poll of a deleted account. A reconnected account has a new one and keeps it. */
async function removePoll({ organizationId, accountId, since }: CommentsPoll): Promise<void> {
  await writeIfMet(
    remove(keys.commentsPoll(organizationId, accountId), { when: equals('since', since) }),
  );
}

/** Returns how long to back off, if the failure is a rate limit. */
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
      set: { dueAt: timestamp(untilNextPollMs(poll.since)) },
      when: equals('dueAt', item.dueAt),
    }),
  );

  return isMine ? poll : undefined;
}

function untilNextPollMs(latest: string): number {
  const silenceMs = now() - Date.parse(latest);

  return Math.min(Math.max(silenceMs / silenceShare, pollEveryMs), pollAtLeastEveryMs);
}

/** Stores the comments before moving `since`. Comments that are fetched twice are stored once. */
async function pollAccount(account: SocialAccount, poll: CommentsPoll): Promise<void> {
  if (interactionState(account) !== 'CONNECTED') {
    return;
  }
  const { platform } = account;
  const from = new Date(Date.parse(poll.since) - overlapMs).toISOString();
  const comments = await withMessagingToken(account, (network, credentials) =>
    network.fetchComments(credentials, from, () => takeCommentCall(platform)),
  );
  await takeEvents(platform, comments);
  const latest = [poll.since, ...comments.map(({ occurredAt }) => occurredAt)].toSorted().at(-1);
  if (latest !== undefined && latest !== poll.since) {
    await updatePoll(poll, { since: latest, dueAt: timestamp(untilNextPollMs(latest)) });
  }
}

/** Ignores conflicts: another run may have been faster, or the account may be gone. */
async function updatePoll(
  { organizationId, accountId, since }: CommentsPoll,
  set: { readonly since?: string; readonly dueAt: string },
): Promise<void> {
  await writeIfMet(
    change(keys.commentsPoll(organizationId, accountId), { set, when: equals('since', since) }),
  );
}
