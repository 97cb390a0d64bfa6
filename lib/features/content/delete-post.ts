import {
  type ContentPost,
  isThreadBegun,
  keyOf,
  requirePost,
  sourceOf,
} from '#lib/features/content/posts/post.ts';
import { dateKey, planUnlisting } from '#lib/features/content/posts/post-writes.ts';
import { claimBegunPost, isFree, planAsOwner } from '#lib/features/content/publishing/ownership.ts';
import {
  AccountMissingError,
  readConnectedAccount,
} from '#lib/features/social/accounts/accounts.ts';
import { withFreshToken } from '#lib/features/social/tokens/fresh-credentials.ts';
import { dayMs, epochSeconds, timestamp } from '#lib/platform/clock.ts';
import { atMostAtOnce } from '#lib/platform/concurrency.ts';
import { allOf, type Condition, equals } from '#lib/platform/db/conditions.ts';
import { contentKeys } from '#lib/platform/db/keys/content.ts';
import { listOf } from '#lib/platform/db/lists/shards.ts';
import { retryWhenOvertaken } from '#lib/platform/db/retry-when-overtaken.ts';
import { change, discard, type Write, write } from '#lib/platform/db/write.ts';
import { capabilities } from '#lib/vendors/networks/capabilities.ts';
import { asAnswer, ifFound } from '#lib/vendors/networks/network-error.ts';
import { publishingOf } from '#lib/vendors/networks/ports/publishing.ts';
import { beingPublished, isInHands } from './change-post.ts';

/** A deleted post stays in the analytics of its publication period for this long. */
const keptDays = 30;
const deletionsAtOnce = 5;

export type DeleteOptions = {
  /**
   * Also deletes an imported post at the network. Posts of this service are always deleted there.
   */
  readonly atNetwork?: boolean;
};

/**
 * Deletes a post. Deletes it at the network first, if the network supports that and the account is
 * still connected. An imported post stays at the network, unless `atNetwork` is set. A post that is
 * being published is not deleted. All parts of a thread are deleted at the network, the first one
 * last. If that fails in between, the next request deletes the rest.
 *
 * `deletedAtNetwork` is false if the post is, or may be, still visible at the network.
 *
 * @throws 404; 409 while the post is being published; 401, 403, 400 or 502 for network failures,
 * which leave the post unchanged.
 */
export function deletePost(
  organizationId: string,
  postId: string,
  options: DeleteOptions = {},
): Promise<{ readonly deletedAtNetwork: boolean }> {
  return retryWhenOvertaken('content post', async () => {
    const post = await requirePost(organizationId, postId);
    if (isInHands(post)) {
      throw beingPublished(post);
    }
    if (isThreadBegun(post)) {
      return deleteThread(post);
    }
    const deletedAtNetwork = await deleteAtNetwork(post, options);
    await write(...planDeletion(post, isFree()));

    return { deletedAtNetwork };
  });
}

/**
 * Deletes a post whose thread has stopped or waits. Holds the post, so that no further part is
 * published.
 */
async function deleteThread(post: ContentPost): Promise<{ readonly deletedAtNetwork: boolean }> {
  const claimed = await claimBegunPost(post);
  if (!claimed) {
    throw beingPublished(post);
  }
  try {
    const isDeleted = await deleteAtNetwork(claimed, {});
    await write(...planDeletion(claimed));

    // The part with the unknown outcome may be visible.
    return { deletedAtNetwork: isDeleted && post.phase !== 'UNCONFIRMED' };
  } catch (failure) {
    await write(planAsOwner(claimed, { leaseUntil: null }));
    throw failure;
  }
}

async function deleteAtNetwork(
  post: ContentPost,
  { atNetwork = false }: DeleteOptions,
): Promise<boolean> {
  const { platform, platformPostId, phase } = post;
  if (!platformPostId) {
    return phase !== 'UNCONFIRMED';
  }
  const isKept = sourceOf(post) === 'IMPORTED' && !atNetwork;
  if (isKept || !capabilities[platform].supports.deletePost) {
    return false;
  }
  try {
    const account = await readConnectedAccount(post.organizationId, post.targetAccountId);
    const remove = (id: string) =>
      ifFound(
        withFreshToken(account, (credentials) =>
          publishingOf(account.platform).deletePost(credentials, id),
        ),
      );
    await atMostAtOnce(deletionsAtOnce, replyIdsOf(post), remove);
    await remove(platformPostId);

    return true;
  } catch (failure) {
    if (failure instanceof AccountMissingError) {
      return false;
    }

    return asAnswer(Promise.reject(failure));
  }
}

function replyIdsOf({ thread = [] }: ContentPost): readonly string[] {
  return thread.flatMap(({ platformPostId }) => platformPostId ?? []);
}

function planDeletion(post: ContentPost, condition?: Condition): readonly Write[] {
  const deletedAt = timestamp();
  const expiresAtSeconds = epochSeconds((keptDays * dayMs) / 1000);

  return [
    change(keyOf(post), {
      set: {
        state: 'DELETED',
        list: listOf('deletedPost', post.id),
        expiresAtSeconds,
        updatedAt: deletedAt,
        duePk: null,
        dueAt: null,
        leaseUntil: null,
      },
      add: { attempt: 1 },
      when: allOf(
        equals('attempt', post.attempt),
        equals('state', post.state),
        ...(condition ? [condition] : []),
      ),
    }),
    // A post with an unknown outcome keeps its row, so that it is not imported later.
    post.publishedAt || post.phase === 'UNCONFIRMED'
      ? change(dateKey(post), { set: { isDeleted: true, expiresAtSeconds } })
      : discard(dateKey(post)),
    ...(post.firstComment ? [discard(contentKeys.firstComment(post.organizationId, post.id))] : []),
    ...planUnlisting(post),
  ];
}
