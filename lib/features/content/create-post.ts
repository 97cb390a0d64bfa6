import { type ContentPost, wasAbandoned } from '#lib/features/content/posts/post.ts';
import { requireReadyMediaOfPost } from '#lib/features/content/posts/post-media.ts';
import { accountRejected } from '#lib/features/content/posts/post-rules.ts';
import { readSettings } from '#lib/features/content/posts/post-settings.ts';
import {
  planPost,
  planRemoval,
  planScheduledEvent,
} from '#lib/features/content/posts/post-writes.ts';
import { continueThread, patienceUntil } from '#lib/features/content/publishing/continue-thread.ts';
import { finalizePost } from '#lib/features/content/publishing/finalize-post.ts';
import { sendFirstComment } from '#lib/features/content/publishing/first-comment.ts';
import { OwnershipLostError } from '#lib/features/content/publishing/ownership.ts';
import { publishPost } from '#lib/features/content/publishing/publish-post.ts';
import {
  findSocialAccount,
  requireSocialAccount,
  type SocialAccount,
} from '#lib/features/social/accounts/accounts.ts';
import { withFreshToken } from '#lib/features/social/tokens/fresh-credentials.ts';
import { now, secondMs } from '#lib/platform/clock.ts';
import { contentKeys } from '#lib/platform/db/keys/content.ts';
import { get } from '#lib/platform/db/read.ts';
import { write } from '#lib/platform/db/write.ts';
import { rejectProblems, upstream } from '#lib/platform/errors/failures.ts';
import type { Intent } from '#lib/platform/http/request.ts';
import { describeFailure, logger } from '#lib/platform/log/logger.ts';
import { asApiError, NetworkError } from '#lib/vendors/networks/network-error.ts';
import { publishingOf } from '#lib/vendors/networks/ports/publishing.ts';
import { type NewPost, newPost, problemsOf } from './new-post.ts';

/** How long the request waits for media processing before the publisher takes over. */
const maxMediaWaitMs = 12 * secondMs;

export type CreatedPost = {
  readonly post: ContentPost;
  /** Absent if an earlier request created the post and the account has been disconnected since. */
  readonly account: SocialAccount | undefined;
};

/**
 * Creates a post as a draft, scheduled, or published immediately. An immediate post is stored
 * before the network is called. If it certainly was not published, it is deleted again. If the
 * outcome is unknown, it is stored as FAILED and checked at the network later. The intent's id
 * becomes the post's id, so that a repeated intent returns the same post.
 *
 * @throws 400 for content that the network rejects, 404 for an unknown account or media file, 409
 * for a keyword that another post has, and 401, 403, 400 or 502 for network failures.
 */
export async function createPost(
  organizationId: string,
  intent: Intent,
  details: NewPost,
): Promise<CreatedPost> {
  const made = intent.isRepeated ? await findExisting(organizationId, intent) : undefined;
  if (made) {
    return made;
  }
  const [account, media] = await Promise.all([
    requireSocialAccount(organizationId, details.socialAccountId),
    requireReadyMediaOfPost(organizationId, details),
  ]);
  const problems = [
    ...(await problemsOf(details, account, media)),
    ...(await liveSettingsProblems(details, account)),
  ];
  rejectProblems(problems);
  if (!account.isActive && !details.draft) {
    throw accountRejected(account);
  }
  const post = newPost(organizationId, intent.id, details);
  const event = post.isImmediate ? [] : await planScheduledEvent(post);
  await write(...planPost(post), ...event);

  return { account, post: post.isImmediate ? await publishImmediately(post) : post };
}

/**
 * Returns a problem for each setting of a scheduled post that the network would reject for this
 * account now. An immediate post needs no check, because it is sent now. If the network does not
 * respond, the settings are checked again when publishing.
 */
async function liveSettingsProblems(
  { scheduledAt, draft, settings: given }: NewPost,
  account: SocialAccount,
): Promise<readonly string[]> {
  const { settings } = readSettings(account.platform, given);
  const hasOptions = settings?.privacyLevel !== undefined;
  if (!hasOptions || !scheduledAt || draft || !account.isActive) {
    return [];
  }
  try {
    const problem = await withFreshToken(account, async (credentials) =>
      publishingOf(account.platform).findSettingsProblem?.(credentials, settings),
    );

    return problem === undefined ? [] : [problem];
  } catch (failure) {
    logger.info('The settings of a post were not checked at the network', {
      accountId: account.id,
      failure: describeFailure(failure),
    });

    return [];
  }
}

/**
 * Returns the post that an earlier request with the same intent created.
 *
 * @throws 502 if that request crashed before sending, until the publisher has deleted the post.
 */
async function findExisting(
  organizationId: string,
  { id }: Intent,
): Promise<CreatedPost | undefined> {
  const post = await get<ContentPost>(contentKeys.contentPost(organizationId, id));
  if (!post) {
    return undefined;
  }
  if (wasAbandoned(post)) {
    throw upstream('social', new Error('The post was abandoned, and is about to be taken away'));
  }

  return { post, account: await findSocialAccount(organizationId, post.targetAccountId) };
}

async function publishImmediately(post: ContentPost): Promise<ContentPost> {
  const untilMs = now() + maxMediaWaitMs;
  const outcome = await publishPost(post, maxMediaWaitMs);
  if (outcome.state === 'later' || outcome.state === 'rejected') {
    await write(...planRemoval(post, () => new OwnershipLostError(post.id)));
    const { failure } = outcome;
    throw failure instanceof NetworkError ? asApiError(failure) : failure;
  }

  const patience = patienceUntil(untilMs);
  const published = await continueThread(await finalizePost(post, outcome), patience);

  return sendFirstComment(published, patience);
}
