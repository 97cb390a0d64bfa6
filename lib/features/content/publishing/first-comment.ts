import { type ContentPost, changed, findPost } from '#lib/features/content/posts/post.ts';
import {
  AccountMissingError,
  readConnectedAccount,
} from '#lib/features/social/accounts/accounts.ts';
import { withFreshToken } from '#lib/features/social/tokens/fresh-credentials.ts';
import { dayMs, hourMs, minuteMs, now, timestamp } from '#lib/platform/clock.ts';
import { write } from '#lib/platform/db/write.ts';
import { logger } from '#lib/platform/log/logger.ts';
import { capabilityMissing } from '#lib/vendors/networks/capabilities.ts';
import type { FoundComment } from '#lib/vendors/networks/network.ts';
import { NetworkError } from '#lib/vendors/networks/network-error.ts';
import { ownCommentsOf } from '#lib/vendors/networks/ports/own-comments.ts';
import { requireText } from '#lib/vendors/networks/text-problem.ts';
import {
  type CommentTask,
  newCommentTask,
  planCommentState,
  planTaskChange,
  planTaskEnd,
} from './comment-task.ts';
import type { Patience } from './continue-thread.ts';
import { duePublication, leased, OwnershipLostError } from './ownership.ts';
import { maxTries, retryDelayMs } from './retry-delay.ts';

/**
 * The delays between checks of comments with an unknown outcome. After the last check, people
 * decide.
 */
const recheckDelaysMs = [minuteMs, 10 * minuteMs, hourMs, 6 * hourMs, dayMs];
/** If the network still doesn't list the comment after this long, it was not published. */
const absentAfterMs = 5 * minuteMs;

type Outcome =
  | FoundComment
  /** Definitely not sent. A retry may succeed. */
  | { readonly state: 'later'; readonly failure: unknown }
  | { readonly state: 'rejected'; readonly failure: unknown };

type Options = {
  /** Set for a manual check: a comment that the network does not list counts as not sent. */
  readonly isAsked?: boolean;
};

type Settled = {
  readonly post: ContentPost;
  /** Set if the network did not respond to the check. */
  readonly failure?: unknown;
};

/**
 * Sends the first comment of a post as the owner of its task, or checks it if it was sent before. A
 * comment that may have been sent is never sent again. Its failure does not affect the post.
 *
 * @throws OwnershipLostError if another process has taken the task, or the post was deleted.
 */
export async function handleFirstComment(
  task: CommentTask,
  options: Options = {},
): Promise<Settled | undefined> {
  const post = await findPost(task.organizationId, task.postId);
  if (!post) {
    return undefined;
  }
  const wasSent = task.phase !== undefined;
  try {
    const outcome = await (wasSent ? lookUp(task) : send(task));

    return { post: await settle(post, task, outcome, options) };
  } catch (failure) {
    if (!wasSent || !(failure instanceof NetworkError || failure instanceof AccountMissingError)) {
      throw failure;
    }

    return { post: await settle(post, task, { state: 'unknown' }, options), failure };
  }
}

/** Sends the first comment of a post that the caller has just published, if there is time. */
export async function sendFirstComment(
  post: ContentPost,
  { mayContinue }: Patience,
): Promise<ContentPost> {
  const task = newCommentTask(post);
  if (!task || !mayContinue()) {
    return post;
  }
  try {
    return (await handleFirstComment(task))?.post ?? post;
  } catch (failure) {
    if (failure instanceof OwnershipLostError) {
      return post;
    }
    throw failure;
  }
}

async function send(task: CommentTask): Promise<Outcome> {
  let isArmed = false;
  try {
    const account = await readConnectedAccount(task.organizationId, task.targetAccountId);
    requireText(task.platform, 'COMMENT', task.text);
    const armed = { phase: 'ARMED', armedAt: timestamp(), ...leased(task.targetAccountId) };
    await write(planTaskChange(task, armed));
    isArmed = true;
    const { id } = await withFreshToken(account, (credentials) => {
      const comments = ownCommentsOf(account.platform);
      if (!comments) {
        throw capabilityMissing(account.platform, 'firstComment');
      }

      return comments.commentOnPost(credentials, task);
    });

    return { state: 'found', id };
  } catch (failure) {
    if (failure instanceof NetworkError && failure.isSafeToRetry) {
      // Networks may show a post some time after they confirm it.
      const isPassing = failure.isTransient || failure.kind === 'notFound';

      return { state: isPassing ? 'later' : 'rejected', failure };
    }
    if (failure instanceof NetworkError) {
      return isArmed ? { state: 'unknown' } : { state: 'later', failure };
    }
    if (failure instanceof AccountMissingError) {
      return { state: 'rejected', failure };
    }
    throw failure;
  }
}

async function lookUp(task: CommentTask): Promise<Outcome> {
  const account = await readConnectedAccount(task.organizationId, task.targetAccountId);

  return withFreshToken(
    account,
    async (credentials): Promise<FoundComment> =>
      (await ownCommentsOf(account.platform)?.findOwnComment(credentials, task)) ?? {
        state: 'unknown',
      },
  );
}

function settle(
  post: ContentPost,
  task: CommentTask,
  outcome: Outcome,
  { isAsked = false }: Options,
): Promise<ContentPost> {
  switch (outcome.state) {
    case 'found':
      return end(post, task, 'SENT', outcome.id);
    case 'later':
      return retry(post, task, outcome.failure);
    case 'rejected':
      return fail(post, task, outcome.failure);
    case 'absent': {
      const sentMs = now() - Date.parse(task.armedAt ?? task.createdAt);

      return isAsked || sentMs >= absentAfterMs ? fail(post, task) : leaveUnknown(post, task);
    }
    default:
      return leaveUnknown(post, task);
  }
}

async function end(
  post: ContentPost,
  task: CommentTask,
  status: 'SENT' | 'FAILED',
  platformCommentId?: string,
): Promise<ContentPost> {
  const state = planCommentState(post, status, platformCommentId);
  await write(planTaskEnd(task), state);

  return withComment(post, status, platformCommentId);
}

function fail(post: ContentPost, task: CommentTask, failure?: unknown): Promise<ContentPost> {
  const { organizationId, postId, platform } = task;
  const reason = failure instanceof Error ? failure.message : 'The network does not list it';
  logger.warn('A first comment was not published', { organizationId, postId, platform, reason });

  return end(post, task, 'FAILED');
}

async function retry(post: ContentPost, task: CommentTask, failure: unknown): Promise<ContentPost> {
  const tries = task.tries + 1;
  if (tries >= maxTries) {
    return fail(post, task, failure);
  }
  const delayMs = retryDelayMs(tries, failure instanceof NetworkError ? failure : undefined);
  const due = duePublication(timestamp(delayMs), { ...task, id: task.postId });
  const set = { phase: null, armedAt: null, tries, leaseUntil: null, ...due };
  await write(planTaskChange(task, set));

  return post;
}

async function leaveUnknown(post: ContentPost, task: CommentTask): Promise<ContentPost> {
  const looks = task.looks ?? 0;
  const nextCheckMs = recheckDelaysMs[looks];
  const due =
    nextCheckMs === undefined
      ? { duePk: null, dueAt: null }
      : duePublication(timestamp(nextCheckMs), { ...task, id: task.postId });
  const set = { phase: 'UNCONFIRMED', looks: looks + 1, leaseUntil: null, ...due };
  await write(planTaskChange(task, set), planCommentState(post, 'UNKNOWN'));

  return withComment(post, 'UNKNOWN');
}

function withComment(
  post: ContentPost,
  status: 'SENT' | 'FAILED' | 'UNKNOWN',
  platformCommentId?: string,
): ContentPost {
  const text = post.firstComment?.text ?? '';
  const id = platformCommentId === undefined ? {} : { platformCommentId };

  return changed(post, { firstComment: { text, status, ...id } });
}
