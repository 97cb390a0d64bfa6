import type { ContentPost } from '#lib/features/content/posts/post.ts';
import type { PostDate } from '#lib/features/content/posts/post-writes.ts';
import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { dayMs, hourMs, now, timestamp } from '#lib/platform/clock.ts';
import { contentKeys, contentRanges } from '#lib/platform/db/keys/content.ts';
import { getMany, query } from '#lib/platform/db/read.ts';
import { platformNames } from '#lib/vendors/networks/capabilities.ts';
import type { PublishingQuota } from '#lib/vendors/networks/network.ts';

type Owner = Pick<SocialAccount, 'organizationId' | 'id' | 'platform'>;

/**
 * Returns the reason why the network would not accept one more post at this time. Counts the used
 * quota from the network, minus posts that leave the window by then, plus posts scheduled before
 * then.
 */
export async function quotaProblem(
  account: Owner,
  dueAt: string,
  quota: PublishingQuota,
): Promise<string | undefined> {
  const name = platformNames[account.platform];
  const dueMs = Date.parse(dueAt);
  if (quota === 'usedUp') {
    return dueMs < now() + dayMs
      ? `${name} accepts no more posts from this account today`
      : undefined;
  }
  if (quota === 'open') {
    return undefined;
  }
  const { total, windowMs } = quota;
  const isSoon = dueMs < now() + windowMs;
  const windowBegin = new Date(dueMs - windowMs).toISOString();
  const rows = await ownPosts(account, isSoon ? timestamp(-windowMs) : windowBegin, dueAt);
  const gone = rows.filter(({ sk, wasPublished }) => wasPublished && sk < windowBegin).length;
  const used = isSoon ? Math.max(0, quota.used - gone) : 0;
  const waiting = rows.filter(({ sk, wasPublished }) => !wasPublished && sk > windowBegin);
  // `waiting` includes drafts. The states are read only if they could make a difference.
  const scheduled = used + waiting.length < total ? 0 : await countScheduled(account, waiting);
  if (used + scheduled < total) {
    return undefined;
  }
  const hours = Math.round(windowMs / hourMs);

  return `${name} accepts ${total} posts per account in ${hours} hours: ${used} used, ${scheduled} scheduled`;
}

type Row = PostDate & { readonly sk: string };

/** Returns this service's posts of the account in a period, without deleted drafts. */
async function ownPosts(
  { organizationId, id }: Owner,
  from: string,
  to: string,
): Promise<readonly Row[]> {
  const rows = await query<Row>(contentRanges.postDates(organizationId, from, to));

  return rows.filter(
    (row) =>
      row.targetAccountId === id &&
      row.origin !== 'IMPORTED' &&
      (row.wasPublished || !row.isDeleted),
  );
}

async function countScheduled({ organizationId }: Owner, rows: readonly Row[]): Promise<number> {
  const posts = await getMany<ContentPost>(
    rows.map(({ id }) => contentKeys.contentPost(organizationId, id)),
  );

  return posts.filter((post) => post?.state === 'SCHEDULED').length;
}
