import { type ContentPost, keyOf } from '#lib/features/content/posts/post.ts';
import { planMinute } from '#lib/features/content/posts/post-minutes.ts';
import { dateKey, planStateMove } from '#lib/features/content/posts/post-writes.ts';
import { isFree } from '#lib/features/content/publishing/ownership.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { allOf, equals } from '#lib/platform/db/conditions.ts';
import { contentKeys, contentRanges } from '#lib/platform/db/keys/content.ts';
import { getMany, query } from '#lib/platform/db/read.ts';
import { change } from '#lib/platform/db/write.ts';
import { writeIfMet } from '#lib/platform/db/write-if-met.ts';

const pageSize = 100;

export type Cancellation = {
  readonly reason: string;
  /**
   * Keeps posts that were scheduled or changed after this time, because the account was
   * reconnected.
   */
  readonly until?: string | undefined;
};

/**
 * Cancels the scheduled posts of a disconnected account: they become FAILED with a reason. Posts
 * that a publisher holds fail by themselves, because the account is gone. Posts that may have been
 * sent end with an unknown outcome. Idempotent.
 */
export async function cancelPostsOfAccount(
  organizationId: string,
  accountId: string,
  { reason, until }: Cancellation,
): Promise<void> {
  const range = contentRanges.postEntries(organizationId, 'account', accountId);
  let after: string | undefined;
  do {
    const entries = await query<{ readonly id: string }>(range, {
      limit: pageSize,
      ...(after === undefined ? {} : { after }),
    });
    const posts = await getMany<ContentPost>(
      entries.map(({ id }) => contentKeys.contentPost(organizationId, id)),
    );
    await Promise.all(
      posts
        .filter((post) => post !== undefined)
        .filter((post) => isToBePublished(post) && (until === undefined || post.updatedAt <= until))
        .map((post) => cancel(post, reason)),
    );
    after = entries.length === pageSize ? entries.at(-1)?.sk : undefined;
  } while (after !== undefined);
}

/** True if no part of the post has been sent. */
function isToBePublished({ state, phase = 'PREPARED' }: ContentPost): boolean {
  return state === 'SCHEDULED' && phase === 'PREPARED';
}

async function cancel(post: ContentPost, failureReason: string): Promise<void> {
  const state = 'FAILED';
  await writeIfMet(
    change(keyOf(post), {
      set: {
        state,
        phase: 'REJECTED',
        failureCode: 'ACCOUNT_DISCONNECTED',
        failureReason,
        duePk: null,
        dueAt: null,
        handle: null,
        isInSlot: null,
        updatedAt: timestamp(),
      },
      add: { attempt: 1 },
      when: allOf(equals('state', 'SCHEDULED'), equals('attempt', post.attempt), isFree()),
    }),
    change(dateKey(post), { set: { state } }),
    ...planMinute(post, { ...post, state }),
    ...planStateMove(post, { ...post, state }),
  );
}
