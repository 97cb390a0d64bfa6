import { findSocialAccount, type SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { withFreshToken } from '#lib/features/social/tokens/fresh-credentials.ts';
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
import { NetworkFailure } from '#lib/vendors/networks/network-failure.ts';
import { CommentBudgetSpent, takeCommentCall } from './comment-budget.ts';
import { takeEvents } from './receive-events.ts';

/** Whose comments are fetched, and from when on: until then all are known. */
export type CommentsPoll = {
  readonly organizationId: string;
  readonly accountId: string;
  readonly since: string;
};

const batchPerShard = 50;
const atOnce = 20;
/** One more batch, each account of which may wait for its network, must fit in. */
const reserveMs = 60_000;
/** A little less than the job's own pace, so that no run passes an account by. */
const pollEveryMs = 4 * minuteMs;
/** Where nobody comments, looks become rarer: a comment waits a tenth of the silence before it. */
const silenceShare = 10;
const pollAtLeastEveryMs = hourMs;
/** What had to wait comes in any order, so that nobody comes last each time. */
const waitSpreadMs = 10 * minuteMs;
/** A comment may be shown later than it was written. What is fetched again is known. */
const overlapMs = hourMs;

/** `waiting`: the network, or what it allows us a day, had them put off. */
export type PollReport = {
  readonly polled: number;
  readonly failed: number;
  readonly waiting: number;
};

/** An account's place in the runs of the job, where its network does not push comments. */
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
 * Fetches the comments of the accounts whose networks do not push them, those first that have waited
 * longest, and takes them as if they had been delivered. Each account is moved on before it is
 * worked at, so that of two runs at once one works at it, and one that fails keeps nobody waiting.
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
    await leave(poll);

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
    await note(poll, { dueAt: timestamp(waitMs + fullJitterMs(waitSpreadMs)) });

    return 'waiting';
  }
}

/** Its account is gone; one that is connected again at this moment has a new place. */
async function leave({ organizationId, accountId, since }: CommentsPoll): Promise<void> {
  await writeIfMet(
    remove(keys.commentsPoll(organizationId, accountId), { when: equals('since', since) }),
  );
}

/** How long to leave the network alone, where the failure says so. */
function waitAfter(failure: unknown): number | undefined {
  const isLimit =
    failure instanceof CommentBudgetSpent ||
    (failure instanceof NetworkFailure && failure.kind === 'rateLimited');

  return isLimit ? Math.max(failure.retryAfterMs ?? 0, pollEveryMs) : undefined;
}

async function takeTurn(item: DueItem): Promise<CommentsPoll | undefined> {
  const poll = await get<CommentsPoll>({ pk: item.pk, sk: item.sk });
  if (!poll) {
    return undefined;
  }
  const isMine = await writeIfMet(
    change(item, {
      set: { dueAt: timestamp(untilNextLook(poll.since)) },
      when: equals('dueAt', item.dueAt),
    }),
  );

  return isMine ? poll : undefined;
}

function untilNextLook(latest: string): number {
  const silenceMs = now() - Date.parse(latest);

  return Math.min(Math.max(silenceMs / silenceShare, pollEveryMs), pollAtLeastEveryMs);
}

/** The comments are stored before the mark moves on: what is fetched twice is taken once. */
async function pollAccount(account: SocialAccount, poll: CommentsPoll): Promise<void> {
  if (!account.isActive) {
    return;
  }
  const { platform } = account;
  const from = new Date(Date.parse(poll.since) - overlapMs).toISOString();
  const comments = await withFreshToken(account, (network, credentials) =>
    network.fetchComments(credentials, from, () => takeCommentCall(platform)),
  );
  await takeEvents(platform, comments);
  const latest = [poll.since, ...comments.map(({ occurredAt }) => occurredAt)].toSorted().at(-1);
  if (latest !== undefined && latest !== poll.since) {
    await note(poll, { since: latest, dueAt: timestamp(untilNextLook(latest)) });
  }
}

/** Another run may have been faster, or the account be gone. */
async function note(
  { organizationId, accountId, since }: CommentsPoll,
  set: { readonly since?: string; readonly dueAt: string },
): Promise<void> {
  await writeIfMet(
    change(keys.commentsPoll(organizationId, accountId), { set, when: equals('since', since) }),
  );
}
