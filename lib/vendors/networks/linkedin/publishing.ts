import { isSameText } from '#lib/platform/characters.ts';
import { minuteMs, now, secondMs } from '#lib/platform/clock.ts';
import type { Publication, Published, PublishingApi } from '#lib/vendors/networks/network.ts';
import { ifFound, NetworkError } from '#lib/vendors/networks/network-error.ts';
import * as z from '#schemas/zod.ts';
import { call, organizationUrn, platform, restli } from './call.ts';
import { toLittleText } from './little-text.ts';
import { areMediaAvailable, type UploadedMedium, uploadMedia } from './media.ts';
import { listRecentPosts, maxRecentPosts, postUrl } from './metrics.ts';

const pollIntervalMs = 2 * secondMs;
const clockSkewMs = 5 * secondMs;
/** LinkedIn may take this long to list a new post. */
const listingDelayMs = 5 * minuteMs;

const handleSchema = z.object({
  media: z.array(z.object({ urn: z.string(), kind: z.enum(['image', 'video']) })).default([]),
});

/** Uploads the media and waits until LinkedIn has processed them. */
export const prepare: PublishingApi['prepare'] = async (credentials, publication, handle) => {
  const known = handleSchema.safeParse(handle).data?.media ?? [];
  const media = known.length > 0 ? known : await uploadMedia(credentials, publication.mediaUrls);
  const isReady = media.length === 0 || (await areMediaAvailable(credentials, media));

  return isReady
    ? { state: 'ready', handle: { media } }
    : { state: 'pending', handle: { media }, retryAfterMs: pollIntervalMs };
};

/** Sends the post once, because LinkedIn has no idempotency key. */
export const commit: PublishingApi['commit'] = async (credentials, publication, handle) => {
  const { media } = handleSchema.parse(handle);
  const answer = await call(credentials, {
    method: 'POST',
    path: '/rest/posts',
    json: {
      author: organizationUrn(credentials.platformUserId),
      commentary: toLittleText(publication.text),
      visibility: publication.settings?.visibility ?? 'PUBLIC',
      distribution: {
        feedDistribution: 'MAIN_FEED',
        targetEntities: [],
        thirdPartyDistributionChannels: [],
      },
      ...contentOf(media, publication),
      lifecycleState: 'PUBLISHED',
      isReshareDisabledByAuthor: false,
    },
  });
  const urn = answer.headers.get('x-restli-id');
  if (!urn) {
    throw new NetworkError(platform, 'outcomeUnknown', {
      message: 'LinkedIn accepted the post but did not return its id',
    });
  }

  return published(urn);
};

/**
 * Looks for a post with the same text since the commit. LinkedIn lists posts with a delay, so a
 * missing post is `absent` only after that delay.
 */
export const probe: PublishingApi['probe'] = async (credentials, publication, _handle, since) => {
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
    posts.length < maxRecentPosts || (oldest && Date.parse(oldest.publishedAt) < earliest);

  return isCovered && now() - sinceMs > listingDelayMs
    ? { state: 'absent', reason: 'LinkedIn has no such post' }
    : { state: 'unknown' };
};

/** Idempotent: a missing post is not an error. */
export const deletePost: PublishingApi['deletePost'] = async (credentials, urn) => {
  await ifFound(call(credentials, { method: 'DELETE', path: `/rest/posts/${restli(urn)}` }));
};

function contentOf(
  uploaded: readonly UploadedMedium[],
  { media = [], settings }: Publication,
): Readonly<Record<string, unknown>> {
  const attached = uploaded.map(({ urn, kind }, index) => ({
    id: urn,
    ...(kind === 'image' && media[index]?.altText ? { altText: media[index].altText } : {}),
  }));
  const [first, ...others] = attached;
  if (!first) {
    return {};
  }

  const { title } = settings ?? {};
  const single = { ...first, ...(title === undefined ? {} : { title }) };

  return {
    content: others.length === 0 ? { media: single } : { multiImage: { images: attached } },
  };
}

function published(urn: string): Published {
  return { state: 'published', platformPostId: urn, url: postUrl(urn) };
}
