import { type ContentPost, isThreadBegun, nextPartOf } from '#lib/features/content/posts/post.ts';
import { taggedText } from '#lib/features/content/posts/tagged-text.ts';
import {
  AccountMissingError,
  readConnectedAccount,
  type SocialAccount,
} from '#lib/features/social/accounts/accounts.ts';
import { withFreshToken } from '#lib/features/social/tokens/fresh-credentials.ts';
import { dayMs, hourMs, now, pause, secondMs, timestamp } from '#lib/platform/clock.ts';
import type {
  CommitOutcome,
  Handle,
  PreparationProgress,
  ProbeOutcome,
  Publication,
  Published,
} from '#lib/vendors/networks/network.ts';
import { NetworkError } from '#lib/vendors/networks/network-error.ts';
import { publishingOf } from '#lib/vendors/networks/ports/publishing.ts';
import { requireText } from '#lib/vendors/networks/text-problem.ts';
import { keepProgress, OwnershipLostError, whileHeld } from './ownership.ts';
import { withStoredMedia, withThumbnail } from './stored-media.ts';

/** The result of an attempt to publish a post, or of a check on an earlier attempt. */
export type Outcome =
  | Published
  /** The network is still processing. Check again after `retryAfterMs`. */
  | {
      readonly state: 'waiting';
      readonly phase: 'PREPARED' | 'SENT';
      readonly handle: Handle;
      readonly retryAfterMs: number;
    }
  /** Definitely not published. A retry may succeed. */
  | { readonly state: 'later'; readonly failure: unknown }
  /** Definitely not published, and a retry cannot succeed. */
  | { readonly state: 'rejected'; readonly failure: unknown }
  /** Sent, but the outcome is unknown. */
  | { readonly state: 'unknown'; readonly failure?: unknown }
  /** Sent, but the network does not have it. */
  | { readonly state: 'absent'; readonly reason: string };

/** Longest wait for media processing within one attempt. */
const maxStepWaitMs = 3 * secondMs;
/** Media processing that takes longer than this is considered stuck. */
const maxPreparingMs = 2 * hourMs;

/** Posts that are later than this are not published, because they may no longer be relevant. */
const maxLatenessMs = dayMs;

/** Thrown if the post could not be published within a day of its time. */
export class PublishingTimeoutError extends Error {
  constructor() {
    super('The post could not be published within 24 hours of its scheduled time');
    this.name = 'PublishingTimeoutError';
  }
}

export class MediaNotReadyError extends Error {
  constructor() {
    super('The network did not finish processing the media in time');
    this.name = 'MediaNotReadyError';
  }
}

/** Thrown if the network accepted the post, but shows it only to the account. */
export class LockedPrivateError extends Error {
  constructor(reason: string) {
    super(reason);
    this.name = 'LockedPrivateError';
  }
}

type Attempt = {
  readonly post: ContentPost;
  readonly account: SocialAccount;
  readonly publication: Publication;
  /** Deadline for waiting within this attempt, in milliseconds since the epoch. */
  readonly patientUntilMs: number;
};

/**
 * Publishes a post that the caller owns, and renews its lease until the attempt ends. A post that
 * was sent before is checked at the network and never sent again. Network failures are returned as
 * outcomes, not thrown.
 *
 * @throws OwnershipLostError if another process has taken the post.
 */
export function publishPost(post: ContentPost, patienceMs: number): Promise<Outcome> {
  return whileHeld(post, () => sendOrLookUp(post, patienceMs));
}

async function sendOrLookUp(post: ContentPost, patienceMs: number): Promise<Outcome> {
  const wasSent = post.phase === 'ARMED' || post.phase === 'SENT' || post.phase === 'UNCONFIRMED';
  try {
    const account = await readConnectedAccount(post.organizationId, post.targetAccountId);
    const written = post.sent ?? publicationOf(post);
    if (wasSent) {
      return await lookUp(post, account, await withThumbnail(written, post.organizationId));
    }
    const patientUntilMs = now() + patienceMs;
    const publication = await withStoredMedia(written, post, partOf(post).mediaIds);

    return await send({ post, account, publication, patientUntilMs });
  } catch (failure) {
    if (failure instanceof OwnershipLostError) {
      throw failure;
    }
    if (wasSent) {
      return { state: 'unknown', failure };
    }

    return { state: isPermanentFailure(failure) ? 'rejected' : 'later', failure };
  }
}

/** Returns the content of the next part: the post itself or a part of its thread. */
function partOf(post: ContentPost) {
  const { content, mediaUrls, mediaIds = [], settings, thread = [], platformPostId } = post;
  const next = nextPartOf(post);
  const part = thread[next];
  const replyTo = next > 0 ? thread[next - 1]?.platformPostId : platformPostId;

  return part
    ? {
        content: part.content,
        mediaUrls: [],
        mediaIds: part.mediaIds,
        replyTo,
        settings: undefined,
      }
    : { content, mediaUrls, mediaIds, replyTo: undefined, settings };
}

/** Returns the content to publish, without library media. */
export function publicationOf(post: ContentPost): Publication {
  const { content, mediaUrls, replyTo, settings } = partOf(post);

  return {
    text: taggedText(content, post),
    mediaUrls,
    ...(replyTo === undefined ? {} : { replyTo }),
    ...(settings ? { settings } : {}),
  };
}

/**
 * Before anything was sent, an unknown outcome is harmless, because the next attempt starts over.
 */
function isPermanentFailure(failure: unknown): boolean {
  if (failure instanceof NetworkError) {
    return !failure.isTransient && failure.kind !== 'outcomeUnknown';
  }

  return [AccountMissingError, MediaNotReadyError, PublishingTimeoutError].some(
    (kind) => failure instanceof kind,
  );
}

async function send(attempt: Attempt): Promise<Outcome> {
  const { post, account, publication } = attempt;
  const lateMs = now() - Date.parse(post.scheduledAt ?? post.createdAt);
  // A thread that has begun is completed, however late it is.
  if (lateMs > maxLatenessMs && !isThreadBegun(post)) {
    throw new PublishingTimeoutError();
  }
  // The rules may have changed since the post was scheduled.
  requireText(post.platform, 'post', publication.text);
  const progress = await prepare(attempt);
  if (progress.state === 'pending') {
    return { ...progress, state: 'waiting', phase: 'PREPARED' };
  }
  const { handle } = progress;
  await keepProgress(post, { phase: 'ARMED', handle, armedAt: timestamp() });
  try {
    return afterCommit(
      await withFreshToken(account, (credentials) =>
        publishingOf(account.platform).commit(credentials, publication, handle),
      ),
    );
  } catch (failure) {
    if (!(failure instanceof NetworkError) || !failure.isSafeToRetry) {
      return { state: 'unknown', failure };
    }

    return { state: failure.isTransient ? 'later' : 'rejected', failure };
  }
}

function afterCommit(outcome: CommitOutcome): Outcome {
  return outcome.state === 'published' ? outcome : { ...outcome, state: 'waiting', phase: 'SENT' };
}

/**
 * Runs all steps that are possible before the post is visible. Stores each step before the next
 * one.
 */
async function prepare(attempt: Attempt): Promise<PreparationProgress> {
  const { post, account, publication, patientUntilMs } = attempt;
  const preparingSince = post.preparingSince ?? timestamp();
  let handle = post.handle;
  for (;;) {
    const known = handle;
    const progress = await withFreshToken(account, (credentials) =>
      publishingOf(account.platform).prepare(credentials, publication, known),
    );
    if (progress.state === 'ready') {
      return progress;
    }
    if (now() - Date.parse(preparingSince) > maxPreparingMs) {
      throw new MediaNotReadyError();
    }
    handle = progress.handle;
    await keepProgress(post, { phase: 'PREPARED', handle, preparingSince });
    const { retryAfterMs } = progress;
    if (retryAfterMs > maxStepWaitMs || now() + retryAfterMs > patientUntilMs) {
      return progress;
    }
    await pause(retryAfterMs);
  }
}

async function lookUp(
  post: ContentPost,
  account: SocialAccount,
  publication: Publication,
): Promise<Outcome> {
  const { handle = {}, armedAt = post.createdAt } = post;
  const found: ProbeOutcome = await withFreshToken(account, (credentials) =>
    publishingOf(account.platform).probe(credentials, publication, handle, armedAt),
  );
  if (found.state === 'processing') {
    return { state: 'waiting', phase: 'SENT', handle, retryAfterMs: found.retryAfterMs };
  }
  if (found.state === 'lockedPrivate') {
    return { state: 'rejected', failure: new LockedPrivateError(found.reason) };
  }

  return found.state === 'failed'
    ? { state: 'rejected', failure: refusedLater(post, found.reason) }
    : found;
}

/** Some networks accept a post, and reject it after checking its media. */
function refusedLater({ platform }: ContentPost, message: string): NetworkError {
  return new NetworkError(platform, 'refused', { message });
}
