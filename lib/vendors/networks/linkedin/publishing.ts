import { minuteMs, now, secondMs } from '#lib/platform/clock.ts';
import { epochMs } from '#lib/vendors/networks/moments.ts';
import type {
  CommitOutcome,
  Credentials,
  Handle,
  ProbeOutcome,
  Progress,
  Publication,
  Published,
  RecentPost,
} from '#lib/vendors/networks/network.ts';
import { NetworkError } from '#lib/vendors/networks/network-error.ts';
import { readAnswer } from '#lib/vendors/networks/read-answer.ts';
import * as z from '#schemas/zod.ts';
import { callLinkedIn, organizationUrn, restli } from './call.ts';
import { fromLittleText, toLittleText } from './little-text.ts';
import { areAvailable, type UploadedMedium, uploadMedia } from './media.ts';

const processingMs = 2 * secondMs;
const recentPosts = 50;
/** LinkedIn's clock and ours may differ by so much. */
const clockSkewMs = 5 * secondMs;
/** For so long a post may be missing in the list although it was made. */
const listingDelayMs = 5 * minuteMs;

const handleShape = z.object({
  media: z.array(z.object({ urn: z.string(), kind: z.enum(['image', 'video']) })).default([]),
});

const postList = z.object({
  elements: z.array(
    z.object({
      id: z.string(),
      commentary: z.string().default(''),
      publishedAt: epochMs.optional(),
      createdAt: epochMs.optional(),
    }),
  ),
});

/** Uploads the media, and waits until LinkedIn can show them. */
export async function prepare(
  credentials: Credentials,
  publication: Publication,
  handle?: Handle,
): Promise<Progress> {
  const known = handleShape.safeParse(handle).data?.media ?? [];
  const media = known.length > 0 ? known : await uploadMedia(credentials, publication.mediaUrls);
  const isReady = media.length === 0 || (await areAvailable(credentials, media));

  return isReady
    ? { state: 'ready', handle: { media } }
    : { state: 'pending', handle: { media }, retryAfterMs: processingMs };
}

/** There is no key that would make a second call harmless: it is sent once. */
export async function commit(
  credentials: Credentials,
  publication: Publication,
  handle: Handle,
): Promise<CommitOutcome> {
  const { media } = handleShape.parse(handle);
  const answer = await callLinkedIn(credentials, {
    method: 'POST',
    path: '/rest/posts',
    json: {
      author: organizationUrn(credentials.platformUserId),
      commentary: toLittleText(publication.text),
      visibility: 'PUBLIC',
      distribution: {
        feedDistribution: 'MAIN_FEED',
        targetEntities: [],
        thirdPartyDistributionChannels: [],
      },
      ...contentOf(media),
      lifecycleState: 'PUBLISHED',
      isReshareDisabledByAuthor: false,
    },
  });
  const urn = answer.headers.get('x-restli-id');
  if (!urn) {
    throw new NetworkError('LINKEDIN', 'outcomeUnknown', {
      message: 'LinkedIn accepted the post but did not return its id',
    });
  }

  return published(urn);
}

/**
 * LinkedIn keeps no trace of a call but the post: one with the same text, of that time, is it.
 * Its absence says nothing while the list may be behind.
 */
export async function probe(
  credentials: Credentials,
  publication: Publication,
  _handle: Handle,
  since: string,
): Promise<ProbeOutcome> {
  const posts = await listRecentPosts(credentials);
  const sinceMs = Date.parse(since);
  const earliest = sinceMs - clockSkewMs;
  const found = posts.findLast(
    (post) => Date.parse(post.publishedAt) >= earliest && isSameText(post.text, publication.text),
  );
  if (found) {
    return published(found.platformPostId);
  }
  const oldest = posts.at(-1);
  const isCovered =
    posts.length < recentPosts || (oldest && Date.parse(oldest.publishedAt) < earliest);

  return isCovered && now() - sinceMs > listingDelayMs
    ? { state: 'absent', reason: 'LinkedIn has no such post' }
    : { state: 'unknown' };
}

/** May be repeated: what is gone is gone. */
export async function deletePost(credentials: Credentials, urn: string): Promise<void> {
  try {
    await callLinkedIn(credentials, { method: 'DELETE', path: `/rest/posts/${restli(urn)}` });
  } catch (failure) {
    if (!(failure instanceof NetworkError && failure.kind === 'notFound')) {
      throw failure;
    }
  }
}

/** The finder is from memory: to be checked before going live. */
export async function listRecentPosts(credentials: Credentials): Promise<readonly RecentPost[]> {
  const answer = await callLinkedIn(credentials, {
    method: 'GET',
    path: '/rest/posts',
    query: {
      q: 'author',
      author: restli(organizationUrn(credentials.platformUserId)),
      count: recentPosts,
      sortBy: 'CREATED',
    },
    headers: { 'x-restli-method': 'FINDER' },
  });

  return readAnswer('LINKEDIN', postList, answer).elements.map((post) => ({
    platformPostId: post.id,
    text: fromLittleText(post.commentary),
    publishedAt: new Date(post.publishedAt ?? post.createdAt ?? 0).toISOString(),
    url: urlOf(post.id),
  }));
}

function contentOf(media: readonly UploadedMedium[]): Readonly<Record<string, unknown>> {
  const [first] = media;
  if (!first) {
    return {};
  }

  return {
    content:
      media.length === 1
        ? { media: { id: first.urn } }
        : { multiImage: { images: media.map(({ urn }) => ({ id: urn })) } },
  };
}

/** LinkedIn may trim what it stores. */
function isSameText(one: string, other: string): boolean {
  const normal = (text: string): string => text.normalize('NFC').replace(/\s+/g, ' ').trim();

  return normal(one) === normal(other);
}

function published(urn: string): Published {
  return { state: 'published', platformPostId: urn, url: urlOf(urn) };
}

function urlOf(urn: string): string {
  return `https://www.linkedin.com/feed/update/${urn}/`;
}
