import { containsText } from '#lib/platform/characters.ts';
import { dayMs, minuteMs } from '#lib/platform/clock.ts';
import { contentKeys, contentRanges } from '#lib/platform/db/keys/content.ts';
import { getMany, query } from '#lib/platform/db/read.ts';
import type { RecentPost } from '#lib/vendors/networks/network.ts';
import { isProvisionalId } from '#lib/vendors/networks/provisional-id.ts';
import type { ContentPost } from './post.ts';
import type { PostDate } from './post-writes.ts';
import { taggedText } from './tagged-text.ts';

/** The networks' clocks can differ from ours. */
const clockSkewMs = 5 * minuteMs;
/** The latest time at which a network shows a post that it has accepted. */
const maxDelayMs = dayMs + clockSkewMs;
/** A post is sent at most a day after its date. */
const maxLatenessMs = dayMs;

/**
 * Returns an account's posts that the network may list although we have not stored their id there
 * yet: they are being published, their outcome is unknown, or they have a provisional id.
 */
export async function listPostsInDoubt(
  organizationId: string,
  accountId: string,
  sinceMs: number,
): Promise<readonly ContentPost[]> {
  const from = new Date(sinceMs - maxDelayMs - maxLatenessMs).toISOString();
  const rows = await query<PostDate>(contentRanges.postDates(organizationId, from));
  const possible = rows.filter(
    ({ targetAccountId, state, platform, origin }) =>
      targetAccountId === accountId &&
      origin !== 'IMPORTED' &&
      (state === 'SCHEDULED' || state === 'FAILED' || platform === 'TIKTOK'),
  );
  const posts = await getMany<ContentPost>(
    possible.map(({ id }) => contentKeys.contentPost(organizationId, id)),
  );

  return posts.filter((post) => post !== undefined).filter(isInDoubt);
}

function isInDoubt({ phase, state, platform, platformPostId }: ContentPost): boolean {
  const isProvisional =
    state === 'PUBLISHED' &&
    platformPostId !== undefined &&
    isProvisionalId(platform, platformPostId);

  // Later parts of a thread are replies, which imports ignore.
  const isUnknown =
    platformPostId === undefined &&
    (phase === 'ARMED' || phase === 'SENT' || phase === 'UNCONFIRMED');

  return isUnknown || isProvisional;
}

/**
 * True if the network's post may be this one. Compares texts loosely, because networks change them.
 * Waiting for the outcome is better than importing a duplicate.
 */
export function maybeSame(ours: ContentPost, theirs: RecentPost): boolean {
  const sinceMs = Date.parse(theirs.publishedAt) - Date.parse(ours.armedAt ?? ours.createdAt);
  const text = ours.sent?.text ?? taggedText(ours.content, ours);

  return sinceMs >= -clockSkewMs && sinceMs <= maxDelayMs && containsText(text, theirs.text);
}
