import { unsupported } from '#lib/vendors/networks/capabilities.ts';
import { mediaKindAt } from '#lib/vendors/networks/media-type.ts';
import type { Publication, Published, PublishingApi } from '#lib/vendors/networks/network.ts';
import { MediaError, NetworkError } from '#lib/vendors/networks/network-error.ts';
import { openMedia } from '#lib/vendors/networks/open-media.ts';
import { type PostSettings, tiktokAudiences } from '#schemas/post-settings.ts';
import * as z from '#schemas/zod.ts';
import { call, dailyCaps, platform } from './call.ts';
import { listRecentPosts } from './metrics.ts';
import { readStatus } from './publish-status.ts';
import { chunksOf, sendFirstChunks, sendLastChunk, videoUpload } from './upload-video.ts';

export const deletePost = unsupported(platform, 'deletePost');

const pollIntervalMs = 5_000;
/** TikTok's limit for a photo post. */
const maxPhotos = 35;
const lookBounds = { timeoutMs: 10_000, maxBytes: 4_000_000_000 };
const creator = z.object({
  data: z.object({
    creator_username: z.string().default(''),
    privacy_level_options: z.array(z.string()),
    comment_disabled: z.boolean().default(false),
    duet_disabled: z.boolean().default(false),
    stitch_disabled: z.boolean().default(false),
  }),
});
const initialized = z.object({ data: z.object({ publish_id: z.string().min(1) }) });
const initializedUpload = z.object({
  data: z.object({ publish_id: z.string().min(1), upload_url: z.url() }),
});
const handleSchema = z.object({
  kind: z.enum(['video', 'image']),
  username: z.string(),
  privacyLevel: z.string(),
  isCommentDisabled: z.boolean(),
  isDuetDisabled: z.boolean(),
  isStitchDisabled: z.boolean(),
  publishId: z.string().optional(),
  /**
   * Set for a video that is stored here, because TikTok fetches only from domains that it has
   * verified.
   */
  upload: videoUpload.optional(),
});
type PreparedHandle = z.output<typeof handleSchema>;

/**
 * Fetches the privacy levels and interactions that TikTok currently allows this creator. A creator
 * who has reached a limit is rejected here, before anything is sent.
 */
export const prepare: PublishingApi['prepare'] = async ({ accessToken }, publication) => {
  const kind = await requireMedia(publication);
  const data = await readCreator(accessToken);
  const { settings = {} } = publication;
  const privacyLevel = requirePrivacyLevel(settings, data.privacy_level_options);
  const prepared: PreparedHandle = {
    kind,
    username: data.creator_username,
    privacyLevel,
    isCommentDisabled: data.comment_disabled || settings.allowComments === false,
    isDuetDisabled: data.duet_disabled || settings.allowDuet === false,
    isStitchDisabled: data.stitch_disabled || settings.allowStitch === false,
  };

  return { state: 'ready', handle: await withUpload(accessToken, publication, prepared) };
};

/** @throws NetworkError `refused` if TikTok would reject the privacy level. */
function requirePrivacyLevel(settings: PostSettings, options: readonly string[]): string {
  const problem = privacyProblem(settings, options);
  if (problem !== undefined) {
    throw refused(problem);
  }
  const privacyLevel =
    settings.privacyLevel ?? tiktokAudiences.find((one) => options.includes(one));
  if (privacyLevel === undefined) {
    throw refused('TikTok offers this account no privacy level to publish with');
  }
  if (settings.brandContent && privacyLevel === 'SELF_ONLY') {
    throw refused('TikTok does not allow private branded content');
  }

  return privacyLevel;
}

function privacyProblem(
  { privacyLevel }: PostSettings,
  options: readonly string[],
): string | undefined {
  return privacyLevel === undefined || options.includes(privacyLevel)
    ? undefined
    : `settings.privacyLevel must be one that TikTok offers this account: ${options.join(', ')}`;
}

/** Returns the reason why TikTok would currently reject the settings for this account. */
export const findSettingsProblem: Required<PublishingApi>['findSettingsProblem'] = async (
  { accessToken },
  settings,
) => {
  if (settings.privacyLevel === undefined) {
    return undefined;
  }
  const { privacy_level_options: options } = await readCreator(accessToken);

  return privacyProblem(settings, options);
};

/** Uploads a stored video except for its last chunk. TikTok discards an incomplete upload. */
async function withUpload(
  accessToken: string,
  publication: Publication,
  prepared: PreparedHandle,
): Promise<PreparedHandle> {
  const [stored] = (publication.media ?? []).map((one) => one.stored);
  const [url] = publication.mediaUrls;
  if (prepared.kind !== 'video' || !stored || url === undefined) {
    return prepared;
  }
  const { bytes, contentType } = stored;
  const { chunkSize, chunkCount } = chunksOf(bytes);
  const { data } = await call(accessToken, {
    method: 'POST',
    path: '/v2/post/publish/video/init/',
    json: {
      post_info: videoInfo(publication, prepared),
      source_info: {
        source: 'FILE_UPLOAD',
        video_size: bytes,
        chunk_size: chunkSize,
        total_chunk_count: chunkCount,
      },
    },
    isHarmless: true,
    answer: initializedUpload,
  });
  const upload = { uploadUrl: data.upload_url, bytes, contentType };
  await sendFirstChunks(upload, url);

  return { ...prepared, publishId: data.publish_id, upload };
}

async function readCreator(accessToken: string) {
  const { data } = await call(accessToken, {
    method: 'POST',
    path: '/v2/post/publish/creator_info/query/',
    json: {},
    isHarmless: true,
    answer: creator,
  });

  return data;
}

/** TikTok returns no numbers. It rejects this query once the creator has reached a daily limit. */
export const fetchPublishingQuota: Required<PublishingApi>['fetchPublishingQuota'] = async ({
  accessToken,
}) => {
  try {
    await readCreator(accessToken);

    return 'open';
  } catch (failure) {
    if (failure instanceof NetworkError && dailyCaps.includes(failure.code ?? '')) {
      return 'usedUp';
    }
    throw failure;
  }
};

/**
 * Sends the media URLs, which TikTok fetches itself, or the last chunk of a stored video. URLs must
 * be on a domain verified for the app. The handle contains the publish id. Callers must store it,
 * because nothing else can find the post later.
 */
export const commit: PublishingApi['commit'] = async ({ accessToken }, publication, handle) => {
  const prepared = handleSchema.parse(handle);
  const { kind, publishId, upload } = prepared;
  if (upload !== undefined && publishId !== undefined) {
    await sendLastChunk(upload, publication.mediaUrls[0] ?? '');

    return { state: 'processing', handle: prepared, retryAfterMs: pollIntervalMs };
  }
  const { data } = await call(accessToken, {
    method: 'POST',
    path: `/v2/post/publish/${kind === 'video' ? 'video' : 'content'}/init/`,
    json: kind === 'video' ? videoPost(publication, prepared) : photoPost(publication, prepared),
    answer: initialized,
  });

  return {
    state: 'processing',
    handle: { ...prepared, publishId: data.publish_id },
    retryAfterMs: pollIntervalMs,
  };
};

/**
 * Reads the status of a publication. If the publish id is unknown because the commit got no
 * response, only a public video can be found. So a missing post is `unknown`.
 */
export const probe: PublishingApi['probe'] = async (credentials, { text }, handle, since) => {
  const { publishId, username = '' } = handleSchema.partial().parse(handle);
  if (publishId === undefined) {
    const videos = await listRecentPosts(credentials);
    const found = videos.find((one) => one.publishedAt >= wholeSecond(since) && one.text === text);

    return found
      ? { state: 'published', platformPostId: found.platformPostId, url: found.url }
      : { state: 'unknown' };
  }
  try {
    const { status, failReason, postId } = await readStatus(credentials, publishId);
    if (status === 'PUBLISH_COMPLETE') {
      return publishedAs(publishId, postId, username);
    }

    return status === 'FAILED'
      ? { state: 'failed', reason: failReason ?? 'TikTok gave no reason' }
      : { state: 'processing', retryAfterMs: pollIntervalMs };
  } catch (failure) {
    if (failure instanceof NetworkError && failure.kind === 'notFound') {
      return { state: 'unknown' };
    }
    throw failure;
  }
};

/** Falls back to the publish id, because a post has no id until moderation has ended. */
function publishedAs(publishId: string, postId: string | undefined, username: string): Published {
  return {
    state: 'published',
    platformPostId: postId ?? publishId,
    url: postId === undefined ? null : `https://www.tiktok.com/@${username}/video/${postId}`,
  };
}

function videoPost(publication: Publication, handle: PreparedHandle) {
  return {
    post_info: videoInfo(publication, handle),
    source_info: { source: 'PULL_FROM_URL', video_url: publication.mediaUrls[0] },
  };
}

function videoInfo({ text, settings = {} }: Publication, handle: PreparedHandle) {
  const { isAiGenerated, coverSecond } = settings;

  return {
    ...brandsOf(settings),
    ...(isAiGenerated === undefined ? {} : { is_aigc: isAiGenerated }),
    ...(coverSecond === undefined
      ? {}
      : { video_cover_timestamp_ms: Math.round(coverSecond * 1_000) }),
    title: text,
    privacy_level: handle.privacyLevel,
    disable_comment: handle.isCommentDisabled,
    disable_duet: handle.isDuetDisabled,
    disable_stitch: handle.isStitchDisabled,
  };
}

function brandsOf({ brandContent, brandOrganic }: PostSettings) {
  return {
    ...(brandContent === undefined ? {} : { brand_content_toggle: brandContent }),
    ...(brandOrganic === undefined ? {} : { brand_organic_toggle: brandOrganic }),
  };
}

/**
 * Sends the text as the description, because the title of a photo post is short.
 *
 * Unverified: `photo_cover_index`, and the text as the description. See docs/operations.md.
 */
function photoPost({ text, mediaUrls, settings = {} }: Publication, handle: PreparedHandle) {
  return {
    media_type: 'PHOTO',
    post_mode: 'DIRECT_POST',
    post_info: {
      ...brandsOf(settings),
      description: text,
      privacy_level: handle.privacyLevel,
      disable_comment: handle.isCommentDisabled,
    },
    source_info: { source: 'PULL_FROM_URL', photo_images: mediaUrls, photo_cover_index: 0 },
  };
}

async function requireMedia({ mediaUrls }: Publication): Promise<'video' | 'image'> {
  const isNumberRight = mediaUrls.length > 0 && mediaUrls.length <= maxPhotos;
  const kinds = isNumberRight ? await Promise.all(mediaUrls.map(findKind)) : [];
  if (kinds.length === 1 && kinds[0] === 'video') {
    return 'video';
  }
  if (kinds.length > 0 && kinds.every((kind) => kind === 'image')) {
    return 'image';
  }
  throw new MediaError(platform, 'refused', {
    message: `TikTok accepts one video (.mp4, .mov, .webm) or 1 to ${maxPhotos} photos`,
  });
}

/**
 * If the kind of a file is unknown, requests it again, so that an outage of its server is reported
 * as an outage.
 */
async function findKind(url: string): Promise<string> {
  const known = await mediaKindAt(url);
  if (known) {
    return known;
  }
  const media = await openMedia(platform, url, lookBounds);
  media.body.destroy();

  return media.contentType.split('/')[0] ?? '';
}

function refused(message: string): NetworkError {
  return new NetworkError(platform, 'refused', { message });
}

/** TikTok's timestamps have no milliseconds. */
function wholeSecond(time: string): string {
  return time.replace(/\.\d+Z$/, '.000Z');
}
