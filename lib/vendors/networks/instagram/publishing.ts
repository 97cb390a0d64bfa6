import { isSameText } from '#lib/platform/characters.ts';
import { secondMs } from '#lib/platform/clock.ts';
import { readAnswer } from '#lib/vendors/networks/call-network.ts';
import { unsupported } from '#lib/vendors/networks/capabilities.ts';
import { requireAcceptedMedia } from '#lib/vendors/networks/media-rules.ts';
import type { MediaType } from '#lib/vendors/networks/media-type.ts';
import { mediaTimeoutMs, pathOf } from '#lib/vendors/networks/meta/graph-call.ts';
import type {
  Credentials,
  PreparationProgress,
  Publication,
  Published,
  PublishingApi,
  RecentPost,
} from '#lib/vendors/networks/network.ts';
import { NetworkError } from '#lib/vendors/networks/network-error.ts';
import * as z from '#schemas/zod.ts';
import { call, platform } from './call.ts';
import {
  createContainer,
  handleSchema,
  mediaFields,
  readContainer,
  stateOf,
  storyFields,
} from './containers.ts';
import { listRecentPosts, listStories } from './metrics.ts';

/** Instagram allows only accounts that logged in through Facebook to delete media. */
export const deletePost = unsupported(platform, 'deletePost');

const pollIntervalMs = 5 * secondMs;
/** Short, because a post is published even if its URL is unknown. */
const permalinkTimeoutMs = 1_500;

/** How long to wait for a published post to appear in the list. */
const listingDelayMs = 10 * secondMs;
/** Allows for clock differences. Instagram's timestamps have no milliseconds. */
const clockSkewMs = 5 * secondMs;

/** The containers have expired. The next call creates new ones. */
const restarted = { state: 'pending', handle: {}, retryAfterMs: 0 } as const;

const publishedMedia = z.object({ id: z.string() });
const medium = z.object({ permalink: z.string().optional() });
const secondsOfDay = 86_400;
const limits = z.object({
  data: z
    .array(
      z.object({
        quota_usage: z.number(),
        config: z.object({
          quota_total: z.number(),
          quota_duration: z.number().default(secondsOfDay),
        }),
      }),
    )
    .min(1),
});

/**
 * Creates the container and waits until Instagram has fetched the media into it. Nothing is visible
 * yet.
 *
 * Unverified: an unpublished container expires after a day. See docs/operations.md.
 */
export const prepare: PublishingApi['prepare'] = async (credentials, publication, handle = {}) => {
  requireMedia(publication);
  const { childIds, containerId } = handleSchema.parse(handle);
  if (containerId !== undefined) {
    return progressOf(credentials, { childIds, containerId });
  }
  if (publication.mediaUrls.length === 1) {
    const [url = ''] = publication.mediaUrls;
    const [type] = await requireAcceptedMedia(platform, [url]);
    const id = await createContainer(credentials, singleFields(publication, url, type));

    return progressOf(credentials, { containerId: id });
  }

  return prepareCarousel(credentials, publication, childIds);
};

function requireMedia({ mediaUrls, settings }: Publication): void {
  if (settings?.postType === 'STORY' && mediaUrls.length > 1) {
    throw new NetworkError(platform, 'refused', {
      message: 'A story needs exactly one image or video',
    });
  }
  if (mediaUrls.length === 0) {
    throw new NetworkError(platform, 'refused', { message: 'A post needs an image or a video' });
  }
}

function singleFields(
  publication: Publication,
  url: string,
  type: MediaType | undefined,
): Readonly<Record<string, string>> {
  const { settings = {}, cover, media = [], text } = publication;
  if (settings.postType === 'STORY') {
    return storyFields(url, type);
  }
  if (settings.postType === 'REEL' && type !== 'VIDEO') {
    throw new NetworkError(platform, 'refused', { message: 'A reel needs exactly one video' });
  }
  const ofReel = {
    ...(settings.shareToFeed === undefined ? {} : { share_to_feed: String(settings.shareToFeed) }),
    ...(cover ? { cover_url: cover.url } : {}),
  };

  return {
    ...mediaFields(url, type, 'REELS', media[0]?.altText),
    ...(type === 'VIDEO' ? ofReel : {}),
    ...collaboratorsOf(publication),
    caption: text,
  };
}

function collaboratorsOf({ settings }: Publication): Readonly<Record<string, string>> {
  const { collaborators = [] } = settings ?? {};

  return collaborators.length === 0 ? {} : { collaborators: JSON.stringify(collaborators) };
}

/** Creates the carousel once all of its children are finished. */
async function prepareCarousel(
  credentials: Credentials,
  publication: Publication,
  knownIds: readonly string[] | undefined,
): Promise<PreparationProgress> {
  const childIds = knownIds ?? (await createChildren(credentials, publication));
  const states = await Promise.all(childIds.map((id) => stateOf(credentials, id)));
  if (states.includes('EXPIRED')) {
    return restarted;
  }
  if (states.includes('IN_PROGRESS')) {
    return { state: 'pending', handle: { childIds }, retryAfterMs: pollIntervalMs };
  }
  const containerId = await createContainer(credentials, {
    media_type: 'CAROUSEL',
    children: JSON.stringify(childIds),
    ...collaboratorsOf(publication),
    caption: publication.text,
  });

  return progressOf(credentials, { childIds, containerId });
}

async function createChildren(
  credentials: Credentials,
  { mediaUrls, media = [] }: Publication,
): Promise<readonly string[]> {
  const types = await requireAcceptedMedia(platform, mediaUrls);

  return Promise.all(
    mediaUrls.map((url, index) =>
      createContainer(credentials, {
        ...mediaFields(url, types[index], 'VIDEO', media[index]?.altText),
        is_carousel_item: 'true',
      }),
    ),
  );
}

async function progressOf(
  credentials: Credentials,
  handle: z.output<typeof handleSchema> & { readonly containerId: string },
): Promise<PreparationProgress> {
  const state = await stateOf(credentials, handle.containerId);
  if (state === 'EXPIRED') {
    return restarted;
  }
  if (state === 'PUBLISHED') {
    throw new NetworkError(platform, 'outcomeUnknown', {
      message: 'The container was already published',
    });
  }

  return state === 'FINISHED'
    ? { state: 'ready', handle }
    : { state: 'pending', handle, retryAfterMs: pollIntervalMs };
}

/** Publishes the container. Instagram publishes a container once and rejects a second call. */
export const commit: PublishingApi['commit'] = async (credentials, _publication, handle) => {
  const { containerId = '' } = handleSchema.parse(handle);
  const id = await publishContainer(credentials, containerId);

  return { state: 'published', platformPostId: id, url: await findPermalink(credentials, id) };
};

async function publishContainer(credentials: Credentials, containerId: string): Promise<string> {
  try {
    const answer = await call(credentials, {
      method: 'POST',
      path: pathOf(credentials.platformUserId, 'media_publish'),
      form: { creation_id: containerId },
      timeoutMs: mediaTimeoutMs(),
    });

    return readAnswer(platform, publishedMedia, answer, 'outcomeUnknown').id;
  } catch (failure) {
    if (failure instanceof NetworkError && failure.kind === 'refused') {
      await throwIfPublished(credentials, containerId);
    }
    throw failure;
  }
}

/** Reports an unknown outcome if the container was published before. `probe` finds the post. */
async function throwIfPublished(credentials: Credentials, containerId: string): Promise<void> {
  const { state } = await readContainer(credentials, containerId);
  if (state === 'PUBLISHED') {
    throw new NetworkError(platform, 'outcomeUnknown', {
      message: 'The container was already published',
    });
  }
}

/** Returns `null` on any failure, because the post is published even without its URL. */
async function findPermalink(credentials: Credentials, mediaId: string): Promise<string | null> {
  try {
    const answer = await call(credentials, {
      path: pathOf(mediaId),
      query: { fields: 'permalink' },
      timeoutMs: permalinkTimeoutMs,
    });

    return readAnswer(platform, medium, answer).permalink ?? null;
  } catch {
    return null;
  }
}

/**
 * Reads from the container whether it was published. The container does not contain the post's id,
 * so this looks for the caption, and falls back to the newest post. An account publishes one post
 * at a time. Stories have no captions, and are in a separate list for 24 hours.
 */
export const probe: PublishingApi['probe'] = async (credentials, publication, handle, since) => {
  const { containerId } = handleSchema.parse(handle);
  if (containerId === undefined) {
    return { state: 'unknown' };
  }
  const { state, reason } = await readContainer(credentials, containerId);
  if (state !== 'PUBLISHED') {
    return { state: state === 'ERROR' || state === 'EXPIRED' ? 'failed' : 'absent', reason };
  }
  const earliest = Date.parse(since) - clockSkewMs;
  const isStory = publication.settings?.postType === 'STORY';
  const listed = isStory ? await listStories(credentials) : await listRecentPosts(credentials);
  const posts = listed.filter((post) => Date.parse(post.publishedAt) >= earliest);
  const found = posts.find((post) => isSameText(post.text, publication.text)) ?? posts[0];

  return found
    ? publishedAs(found)
    : // The post is published, but not listed yet.
      { state: 'processing', retryAfterMs: listingDelayMs };
};

function publishedAs({ platformPostId, url }: RecentPost): Published {
  return { state: 'published', platformPostId, url };
}

/** Reads the limit from Instagram, because it differs between accounts. */
export const fetchPublishingQuota: Required<PublishingApi>['fetchPublishingQuota'] = async (
  credentials,
) => {
  const answer = await call(credentials, {
    path: pathOf(credentials.platformUserId, 'content_publishing_limit'),
    query: { fields: 'quota_usage,config' },
  });
  const [limit] = readAnswer(platform, limits, answer).data;
  if (!limit) {
    return 'open';
  }
  const { quota_total: total, quota_duration: seconds } = limit.config;

  return { used: limit.quota_usage, total, windowMs: seconds * secondMs };
};
