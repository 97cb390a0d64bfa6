import { timestamp } from '#lib/platform/clock.ts';
import { allOf, equals } from '#lib/platform/db/conditions.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { ConditionNotMet, change, discard } from '#lib/platform/db/write.ts';
import { writeIfMet } from '#lib/platform/db/write-if-met.ts';
import { claimPublished, findPostIdByPlatformId } from './post-writes.ts';

type Ids = {
  readonly organizationId: string;
  readonly accountId: string;
  /** What the post goes by so far. */
  readonly publicationId: string;
  readonly publicId: string;
};

/**
 * Gives a published post the id by which the network calls it in public, and by which its figures
 * and its comments come. What no post of ours goes by (any more) is left alone.
 */
export async function adoptPublicId(ids: Ids): Promise<void> {
  const { organizationId, accountId, publicationId, publicId } = ids;
  const id = await findPostIdByPlatformId(organizationId, accountId, publicationId);
  if (id === undefined || publicationId === publicId) {
    return;
  }
  const key = keys.contentPost(organizationId, id);
  await writeIfMet(
    change(key, {
      set: { platformPostId: publicId, updatedAt: timestamp() },
      // Whoever is about to delete the post has to look again, at the claim that it has now.
      add: { attempt: 1 },
      when: allOf(equals('state', 'PUBLISHED'), equals('platformPostId', publicationId)),
    }),
    claimPublished({ organizationId, targetAccountId: accountId, id }, publicId, () => {
      return new ConditionNotMet(key, undefined);
    }),
    discard(keys.publishedPost(organizationId, accountId, publicationId)),
  );
}
