import { listPostsInDoubt, maybeSame } from '#lib/features/content/posts/in-doubt.ts';
import { type ContentPost, keyOf, sourceOf } from '#lib/features/content/posts/post.ts';
import { planImportedPosts } from '#lib/features/content/posts/post-writes.ts';
import type { PublishedClaim } from '#lib/features/content/posts/published-claim.ts';
import { dueAtOf } from '#lib/features/content/publishing/ownership.ts';
import { AccountMissingError, type SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { cutToLength, storableText } from '#lib/platform/characters.ts';
import { dayMs, timestamp } from '#lib/platform/clock.ts';
import { allOf, equals } from '#lib/platform/db/conditions.ts';
import { contentKeys } from '#lib/platform/db/keys/content.ts';
import { socialKeys } from '#lib/platform/db/keys/social.ts';
import { dueIn, listOf } from '#lib/platform/db/lists/shards.ts';
import { getMany } from '#lib/platform/db/read.ts';
import { change, ensure } from '#lib/platform/db/write.ts';
import { writeIfMet } from '#lib/platform/db/write-if-met.ts';
import { idAt } from '#lib/platform/ids.ts';
import type { PostMetrics, PostRange, RecentPost } from '#lib/vendors/networks/network.ts';

/** A post at the network, with its metrics if they were read. */
export type ListedPost = RecentPost & { readonly metrics?: PostMetrics | undefined };

const maxPosts = 200;
const maxAgeMs = 90 * dayMs;
/** A transaction has at most 100 writes, and an imported post needs 7. */
const postsPerWrite = 12;
/** Keeps an item below 400 KB. */
const maxContentLength = 65_000;

/** Returns the time range in which an account's posts are imported. */
export function importRange(): PostRange {
  return { since: timestamp(-maxAgeMs), maxPosts };
}

/**
 * Stores the account's posts that were created elsewhere, and updates the texts of posts that were
 * imported before. Does not import a post that was published or deleted here. Idempotent, also for
 * concurrent calls, because each import claims the network's post id.
 *
 * @returns the number of posts that were created or changed.
 * @throws AccountMissingError if the account was disconnected in the meantime.
 */
export async function importPosts(
  account: SocialAccount,
  listed: readonly ListedPost[],
): Promise<number> {
  const { organizationId, id: accountId } = account;
  const { since } = importRange();
  const posts = [...new Map(listed.map((post) => [post.platformPostId, post])).values()]
    .filter(({ publishedAt, isPrivate }) => publishedAt >= since && !isPrivate)
    .slice(0, maxPosts);
  const claims = await getMany<PublishedClaim>(
    posts.map(({ platformPostId }) =>
      contentKeys.publishedPost(organizationId, accountId, platformPostId),
    ),
  );
  const unknown = posts.filter((_, index) => claims[index] === undefined);
  const known = posts.flatMap((post, index) => {
    const claim = claims[index];

    return claim && !claim.isDeleted ? [{ post, id: claim.id }] : [];
  });
  const created = await createPosts(account, await withoutOwn(account, unknown));

  return created + (await updateTexts(organizationId, known));
}

/** Omits posts that the service may have published itself. */
async function withoutOwn(
  { organizationId, id }: SocialAccount,
  posts: readonly ListedPost[],
): Promise<readonly ListedPost[]> {
  if (posts.length === 0) {
    return [];
  }
  const oldestMs = Math.min(...posts.map(({ publishedAt }) => Date.parse(publishedAt)));
  const inDoubt = await listPostsInDoubt(organizationId, id, oldestMs);

  return posts.filter((post) => !inDoubt.some((own) => maybeSame(own, post)));
}

async function createPosts(account: SocialAccount, posts: readonly ListedPost[]): Promise<number> {
  const imported = posts
    .toSorted((one, other) => one.publishedAt.localeCompare(other.publishedAt))
    .map((post) => importedPost(account, post));
  let created = 0;
  // One at a time, because every transaction checks the account.
  for (let index = 0; index < imported.length; index += postsPerWrite) {
    created += await createBatch(account, imported.slice(index, index + postsPerWrite));
  }

  return created;
}

/** Writes the posts one by one if another import, or the publisher, has claimed one of them. */
async function createBatch(account: SocialAccount, posts: readonly ContentPost[]): Promise<number> {
  const isConnected = ensure(socialKeys.socialAccount(account.organizationId, account.id), {
    onConditionFailed: () => new AccountMissingError(),
  });
  if (await writeIfMet(...planImportedPosts(posts), isConnected)) {
    return posts.length;
  }
  let created = 0;
  for (const post of posts.length > 1 ? posts : []) {
    created += await createBatch(account, [post]);
  }

  return created;
}

function importedPost(
  { organizationId, id: targetAccountId, platform }: SocialAccount,
  { platformPostId, publishedAt, text, url, metrics }: ListedPost,
): ContentPost {
  // Lists are sorted by id.
  const id = idAt(Date.parse(publishedAt));
  const createdAt = timestamp();

  return {
    id,
    organizationId,
    list: listOf('post', id),
    targetAccountId,
    platform,
    content: contentOf(text),
    mediaUrls: [],
    tags: [],
    state: 'PUBLISHED',
    origin: 'IMPORTED',
    phase: 'CONFIRMED',
    platformPostId,
    ...(url === null ? {} : { url }),
    publishedAt,
    ...(metrics ? { figures: metrics } : {}),
    ...dueIn('POST_METRICS', dueAtOf(createdAt, targetAccountId)),
    tries: 0,
    attempt: 0,
    createdAt,
    updatedAt: createdAt,
  };
}

function contentOf(text: string): string {
  return cutToLength(storableText(text), maxContentLength);
}

type KnownPost = { readonly post: ListedPost; readonly id: string };

/** The text of a post that was created here is kept as written. */
async function updateTexts(organizationId: string, known: readonly KnownPost[]): Promise<number> {
  const stored = await getMany<ContentPost>(
    known.map(({ id }) => contentKeys.contentPost(organizationId, id)),
  );
  const outcomes = await Promise.all(
    known.map(async ({ post }, index) => {
      const before = stored[index];
      const content = contentOf(post.text);

      return (
        before !== undefined &&
        sourceOf(before) === 'IMPORTED' &&
        before.content !== content &&
        writeIfMet(
          change(keyOf(before), {
            set: { content, updatedAt: timestamp() },
            when: allOf(equals('state', 'PUBLISHED'), equals('content', before.content)),
          }),
        )
      );
    }),
  );

  return outcomes.filter(Boolean).length;
}
