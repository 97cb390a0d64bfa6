import {
  type ContentPost,
  changed,
  type FailureCode,
  isStory,
  nextPartOf,
  postDateOf,
  type ThreadPart,
  unpublishedMediaOf,
  unpublishedPartsOf,
} from '#lib/features/content/posts/post.ts';
import { dateKey, planDate, planStateMove } from '#lib/features/content/posts/post-writes.ts';
import { planPublishedClaim } from '#lib/features/content/posts/published-claim.ts';
import type { Media } from '#lib/features/media/media.ts';
import { AccountMissingError } from '#lib/features/social/accounts/accounts.ts';
import { dayMs, hourMs, minuteMs, now, secondMs, timestamp } from '#lib/platform/clock.ts';
import { mediaKeys } from '#lib/platform/db/keys/media.ts';
import { dueIn } from '#lib/platform/db/lists/shards.ts';
import { getMany } from '#lib/platform/db/read.ts';
import { type Attributes, change, discard, type Write, write } from '#lib/platform/db/write.ts';
import { writeUnlessTaken } from '#lib/platform/db/write-if-met.ts';
import { logger } from '#lib/platform/log/logger.ts';
import { NetworkError } from '#lib/vendors/networks/network-error.ts';
import { planCommentTask } from './comment-task.ts';
import { dueAtOf, duePublication, leased, planAsOwner } from './ownership.ts';
import { planPostNotifications } from './post-notifications.ts';
import {
  LockedPrivateError,
  MediaNotReadyError,
  type Outcome,
  PublishingTimeoutError,
  publicationOf,
} from './publish-post.ts';
import { maxTries, retryDelayMs } from './retry-delay.ts';

/**
 * The delays between checks of posts with an unknown outcome. After the last check, people decide.
 */
const recheckDelaysMs = [minuteMs, 10 * minuteMs, hourMs, 6 * hourMs, dayMs];
/** If the network still doesn't list the post after this long, it was not published. */
const absentAfterMs = 5 * minuteMs;
/** Networks list an accepted post within this time, or never. */
const maxProcessingMs = dayMs;

const idle = { leaseUntil: null, duePk: null, dueAt: null } as const;
const outcomeUnknown =
  'The network accepted the post but did not confirm the result. The post may be published';

export type FinalizeOptions = {
  /** Set for a manual check: a post that the network does not list counts as not published. */
  readonly isAsked?: boolean;
};

/**
 * Stores the outcome of an attempt as the post's owner, and sends notifications. The platform id is
 * written in the same update as the state.
 *
 * @throws OwnershipLostError
 */
export function finalizePost(
  post: ContentPost,
  outcome: Outcome,
  options: FinalizeOptions = {},
): Promise<ContentPost> {
  switch (outcome.state) {
    case 'published':
      return confirm(post, outcome.platformPostId, outcome.url);
    case 'waiting':
      return wait(post, outcome);
    case 'later':
      return scheduleRetry(post, outcome.failure);
    case 'rejected':
      return fail(post, { phase: 'REJECTED', ...explain(outcome.failure) }, idle);
    case 'unknown':
      return leaveUnknown(post);
    default:
      return settleAbsent(post, outcome.reason, options);
  }
}

type Explanation = { readonly failureCode: FailureCode; readonly failureReason: string };

function explain(failure: unknown): Explanation {
  if (failure instanceof NetworkError) {
    return explainNetworkError(failure);
  }
  if (failure instanceof AccountMissingError) {
    return { failureCode: 'ACCOUNT_DISCONNECTED', failureReason: failure.message };
  }
  if (failure instanceof MediaNotReadyError) {
    return { failureCode: 'MEDIA_NOT_READY', failureReason: failure.message };
  }
  if (failure instanceof LockedPrivateError) {
    return { failureCode: 'LOCKED_PRIVATE', failureReason: failure.message };
  }
  const isTimeout = failure instanceof PublishingTimeoutError;
  const failureReason = isTimeout ? failure.message : 'The post could not be published';

  return { failureCode: 'RETRIES_EXHAUSTED', failureReason };
}

function explainNetworkError({ kind, message: failureReason }: NetworkError): Explanation {
  switch (kind) {
    case 'tokenInvalid':
      return { failureCode: 'TOKEN_INVALID', failureReason };
    case 'scopeMissing':
      return { failureCode: 'SCOPE_MISSING', failureReason };
    case 'refused':
    case 'notFound':
      return { failureCode: 'REFUSED', failureReason };
    default:
      return { failureCode: 'RETRIES_EXHAUSTED', failureReason };
  }
}

/**
 * Stores the network's id of the post or of a part of its thread. After the last part, the post is
 * PUBLISHED. Otherwise the caller still owns it, and publishes the next part.
 */
async function confirm(
  post: ContentPost,
  platformPostId: string,
  url: string | null,
): Promise<ContentPost> {
  const isFirst = post.platformPostId === undefined;
  const known = isFirst ? { platformPostId, url } : { thread: threadWith(post, platformPostId) };
  const done = {
    ...known,
    handle: null,
    sent: null,
    preparingSince: null,
    isImmediate: null,
    failureReason: null,
    failureCode: null,
    updatedAt: timestamp(),
  };
  const sentAt = post.threadStartedAt ?? post.armedAt ?? timestamp();
  const hasMore = unpublishedPartsOf(changed(post, done)).length > 0;
  const set = hasMore
    ? { ...done, threadStartedAt: sentAt, ...(await nextPart(changed(post, done))) }
    : {
        ...done,
        ...idle,
        // The next snapshot run takes its first metrics. Stories have none.
        ...(isStory(post) ? {} : dueIn('POST_METRICS', dueAtOf(timestamp(), post.targetAccountId))),
        state: 'PUBLISHED',
        phase: 'CONFIRMED',
        publishedAt: sentAt,
        threadStartedAt: null,
      };
  const after = changed(post, set);

  // The claim exists if the network's post belongs to another post of ours with the same text.
  const isConfirmed = await writeUnlessTaken(
    isFirst ? [planPublishedClaim(post, platformPostId)] : [],
    [
      planAsOwner(post, set),
      ...planDateMove(post, after),
      ...planStateMove(post, after),
      ...planCommentTask(after),
      ...(await planNotifications(post, after)),
    ],
  );

  return isConfirmed ? after : leaveUnknown(post);
}

function threadWith(post: ContentPost, platformPostId: string): readonly ThreadPart[] {
  const next = nextPartOf(post);

  return (post.thread ?? []).map((part, index) =>
    index === next ? { ...part, platformPostId } : part,
  );
}

/** Attributes of a post whose next part is published by the same owner. */
async function nextPart(post: ContentPost): Promise<Attributes> {
  const fresh = { armedAt: null, looks: null, tries: 0 };
  if (post.state === 'FAILED' && !(await hasMedia(post))) {
    const failureReason = 'A medium of the thread was deleted after the thread had stopped';

    return { ...fresh, ...idle, phase: 'REJECTED', failureCode: 'REFUSED', failureReason };
  }

  return { ...fresh, ...leased(post.targetAccountId), phase: null, state: 'SCHEDULED' };
}

/** Media are kept while a post is SCHEDULED, not while it is FAILED. */
async function hasMedia(post: ContentPost): Promise<boolean> {
  const ids = [...new Set(unpublishedMediaOf(post))];
  const media = await getMany<Media>(ids.map((id) => mediaKeys.media(post.organizationId, id)));

  return media.every((medium) => medium?.status === 'READY');
}

/** A transaction cannot contain two writes for the same key. */
function planDateMove(before: ContentPost, after: ContentPost): readonly Write[] {
  return postDateOf(before) === postDateOf(after)
    ? [planDate(after)]
    : [discard(dateKey(before)), planDate(after)];
}

type Waiting = Extract<Outcome, { state: 'waiting' }>;

async function wait(
  post: ContentPost,
  { phase, handle, retryAfterMs }: Waiting,
): Promise<ContentPost> {
  const sentMs = now() - Date.parse(post.armedAt ?? timestamp());
  if (phase === 'SENT' && sentMs > maxProcessingMs) {
    return leaveUnknown(post);
  }
  const dueAt = timestamp(Math.max(secondMs, retryAfterMs));
  const set = {
    // A FAILED post can only be claimed while its outcome is unknown.
    phase: post.state === 'FAILED' ? 'UNCONFIRMED' : phase,
    handle,
    leaseUntil: null,
    isImmediate: null,
    ...duePublication(dueAt, post),
  };
  await write(planAsOwner(post, set));

  return changed(post, set);
}

async function scheduleRetry(post: ContentPost, failure: unknown): Promise<ContentPost> {
  const tries = post.tries + 1;
  if (tries >= maxTries) {
    return fail(post, { phase: 'REJECTED', tries, ...explain(failure) }, idle);
  }
  const delayMs = retryDelayMs(tries, failure instanceof NetworkError ? failure : undefined);
  const set = {
    phase: 'PREPARED',
    tries,
    leaseUntil: null,
    armedAt: null,
    ...duePublication(timestamp(delayMs), post),
  };
  await write(planAsOwner(post, set));

  return changed(post, set);
}

async function leaveUnknown(post: ContentPost): Promise<ContentPost> {
  const looks = post.looks ?? 0;
  const nextCheckMs = recheckDelaysMs[looks];
  const next =
    nextCheckMs === undefined
      ? idle
      : { leaseUntil: null, ...duePublication(timestamp(nextCheckMs), post) };
  const cause = {
    failureCode: 'OUTCOME_UNKNOWN',
    failureReason: outcomeUnknown,
  } as const;

  const sent = post.sent ?? publicationOf(post);

  return fail(post, { phase: 'UNCONFIRMED', sent, looks: looks + 1, ...cause }, next);
}

function settleAbsent(
  post: ContentPost,
  reason: string,
  { isAsked = false }: FinalizeOptions,
): Promise<ContentPost> {
  const sentMs = now() - Date.parse(post.armedAt ?? post.createdAt);
  if (!isAsked && sentMs < absentAfterMs) {
    return leaveUnknown(post);
  }
  const cause = { failureCode: 'NOT_PUBLISHED', failureReason: reason } as const;

  return fail(post, { phase: 'REJECTED', ...cause }, idle);
}

type Cause = Attributes & Explanation;

async function fail(post: ContentPost, cause: Cause, due: Attributes): Promise<ContentPost> {
  const { id: postId, organizationId, platform, state } = post;
  const { failureCode, failureReason } = cause;
  if (state !== 'FAILED') {
    const what = { organizationId, postId, platform, failureCode, failureReason };
    logger.warn('A post was not published', what);
  }
  const set = {
    ...cause,
    ...due,
    state: 'FAILED',
    isImmediate: null,
    ...(cause.phase === 'UNCONFIRMED' ? {} : { handle: null, sent: null, preparingSince: null }),
    updatedAt: timestamp(),
  };

  const after = changed(post, set);

  return writeAndNotify(post, after, [
    planAsOwner(post, set),
    change(dateKey(post), { set: { state: after.state } }),
    ...planStateMove(post, after),
  ]);
}

/** Notifications are stored with the new state, so that they are sent exactly once per state. */
async function writeAndNotify(
  before: ContentPost,
  after: ContentPost,
  writes: readonly Write[],
): Promise<ContentPost> {
  await write(...writes, ...(await planNotifications(before, after)));

  return after;
}

async function planNotifications(
  before: ContentPost,
  after: ContentPost,
): Promise<readonly Write[]> {
  const isNews = before.state !== after.state && after.state !== 'SCHEDULED';

  return isNews ? planPostNotifications(after) : [];
}
