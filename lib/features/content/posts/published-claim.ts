import { dayMs, epochSeconds, secondMs } from '#lib/platform/clock.ts';
import { contentKeys } from '#lib/platform/db/keys/content.ts';
import { get } from '#lib/platform/db/read.ts';
import { create, put, type Write } from '#lib/platform/db/write.ts';
import type { ContentPost } from './post.ts';

type ClaimedPost = Pick<ContentPost, 'organizationId' | 'targetAccountId' | 'id'>;

/** Claims the network's post id, so that two of our posts cannot have the same one. */
export function planPublishedClaim(
  { organizationId, targetAccountId, id }: ClaimedPost,
  platformPostId: string,
): Write {
  return create(contentKeys.publishedPost(organizationId, targetAccountId, platformPostId), { id });
}

export type PublishedClaim = {
  readonly id: string;
  /** The post was deleted here. The claim prevents importing it again. */
  readonly isDeleted?: boolean;
};

export function findPublishedClaim(
  organizationId: string,
  accountId: string,
  platformPostId: string,
): Promise<PublishedClaim | undefined> {
  return get<PublishedClaim>(contentKeys.publishedPost(organizationId, accountId, platformPostId));
}

export async function findPostIdByPlatformId(
  organizationId: string,
  accountId: string,
  platformPostId: string,
): Promise<string | undefined> {
  const claim = await findPublishedClaim(organizationId, accountId, platformPostId);

  return claim?.isDeleted ? undefined : claim?.id;
}

/**
 * How long the claim of a deleted post is kept. Imports cover the last 90 days, so a post that is
 * published now can be imported until then.
 */
const keptClaimMs = 120 * dayMs;

/** Keeps the network's id of a deleted post, so that it is not imported again. */
export function planDeletedClaim(
  { organizationId, targetAccountId, id }: ClaimedPost,
  platformPostId: string,
): Write {
  return put(contentKeys.publishedPost(organizationId, targetAccountId, platformPostId), {
    id,
    isDeleted: true,
    expiresAtSeconds: epochSeconds(keptClaimMs / secondMs),
  });
}
