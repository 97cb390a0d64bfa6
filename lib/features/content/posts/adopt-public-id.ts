import { timestamp } from '#lib/platform/clock.ts';
import { allOf, equals } from '#lib/platform/db/conditions.ts';
import { contentKeys } from '#lib/platform/db/keys/content.ts';
import { change, discard } from '#lib/platform/db/write.ts';
import { writeIfMet } from '#lib/platform/db/write-if-met.ts';
import { findPublishedClaim, planDeletedClaim, planPublishedClaim } from './published-claim.ts';

type Ids = {
  readonly organizationId: string;
  readonly accountId: string;
  /** The post's current platform id. */
  readonly publicationId: string;
  readonly publicId: string;
};

/**
 * Replaces a published post's platform id with its public id, which metrics and comments use.
 * Ignores ids that belong to none of our posts.
 */
export async function adoptPublicId(ids: Ids): Promise<void> {
  const { organizationId, accountId, publicationId, publicId } = ids;
  const claim = await findPublishedClaim(organizationId, accountId, publicationId);
  if (!claim || publicationId === publicId) {
    return;
  }
  const { id, isDeleted } = claim;
  if (isDeleted) {
    await writeIfMet(
      planDeletedClaim({ organizationId, targetAccountId: accountId, id }, publicId),
    );

    return;
  }
  const key = contentKeys.contentPost(organizationId, id);
  await writeIfMet(
    change(key, {
      set: { platformPostId: publicId, updatedAt: timestamp() },
      // Makes a concurrent deletion retry with the new claim.
      add: { attempt: 1 },
      when: allOf(equals('state', 'PUBLISHED'), equals('platformPostId', publicationId)),
    }),
    planPublishedClaim({ organizationId, targetAccountId: accountId, id }, publicId),
    discard(contentKeys.publishedPost(organizationId, accountId, publicationId)),
  );
}
