import { mediaKindOf } from '#lib/vendors/networks/media-kind.ts';
import type {
  CommitOutcome,
  Credentials,
  Handle,
  ProbeOutcome,
  Progress,
  Publication,
  Published,
} from '#lib/vendors/networks/network.ts';
import { MediaError, NetworkError } from '#lib/vendors/networks/network-error.ts';
import { openMedia } from '#lib/vendors/networks/open-media.ts';
import * as z from '#schemas/zod.ts';
import { callTiktok, dailyCaps } from './call.ts';
import { listTiktokVideos } from './metrics.ts';
import { readStatus } from './publish-status.ts';

const pollMs = 5_000;
/** Photos have a short title and a long description: the text goes into the second. */
const maxPhotos = 35;
const lookBounds = { timeoutMs: 10_000, maxBytes: 4_000_000_000 };
/** The widest audience first. */
const audiences = [
  'PUBLIC_TO_EVERYONE',
  'FOLLOWER_OF_CREATOR',
  'MUTUAL_FOLLOW_FRIENDS',
  'SELF_ONLY',
] as const;

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
const handleShape = z.object({
  kind: z.enum(['video', 'image']),
  username: z.string(),
  privacyLevel: z.string(),
  isCommentDisabled: z.boolean(),
  isDuetDisabled: z.boolean(),
  isStitchDisabled: z.boolean(),
  publishId: z.string().optional(),
});
type TiktokHandle = z.output<typeof handleShape>;

/**
 * Asks TikTok what this creator may publish now: to whom, and with which interactions. A creator
 * over a limit is refused here, before anything is sent.
 */
export async function prepareTiktokPost(
  { accessToken }: Credentials,
  publication: Publication,
): Promise<Progress> {
  const kind = await requireMedia(publication);
  const data = await readCreator(accessToken);
  const privacyLevel = audiences.find((one) => data.privacy_level_options.includes(one));
  if (privacyLevel === undefined) {
    throw refused('TikTok offers this account no privacy level to publish with');
  }
  const handle: TiktokHandle = {
    kind,
    username: data.creator_username,
    privacyLevel,
    isCommentDisabled: data.comment_disabled,
    isDuetDisabled: data.duet_disabled,
    isStitchDisabled: data.stitch_disabled,
  };

  return { state: 'ready', handle };
}

async function readCreator(accessToken: string) {
  const { data } = await callTiktok(accessToken, {
    method: 'POST',
    path: '/v2/post/publish/creator_info/query/',
    json: {},
    isHarmless: true,
    answer: creator,
  });

  return data;
}

/** TikTok tells no number: what it says of a creator is refused where nothing more is taken. */
export async function fetchTiktokQuota({ accessToken }: Credentials): Promise<'open' | 'usedUp'> {
  try {
    await readCreator(accessToken);

    return 'open';
  } catch (failure) {
    if (failure instanceof NetworkError && dailyCaps.includes(failure.code ?? '')) {
      return 'usedUp';
    }
    throw failure;
  }
}

/**
 * TikTok is told where the media lie (on a domain that the app has verified), and goes on by
 * itself. The id of the publication is the only thing to find it by: it is in the handle, to be
 * kept before anybody asks for its state.
 */
export async function commitTiktokPost(
  { accessToken }: Credentials,
  publication: Publication,
  handle: Handle,
): Promise<CommitOutcome> {
  const prepared = handleShape.parse(handle);
  const { kind } = prepared;
  const { data } = await callTiktok(accessToken, {
    method: 'POST',
    path: `/v2/post/publish/${kind === 'video' ? 'video' : 'content'}/init/`,
    json: kind === 'video' ? videoPost(publication, prepared) : photoPost(publication, prepared),
    answer: initialized,
  });

  return {
    state: 'processing',
    handle: { ...prepared, publishId: data.publish_id },
    retryAfterMs: pollMs,
  };
}

/**
 * Looks what became of a publication. Without its id (the answer to the commit was lost) it can be
 * found among the public videos alone, and its absence there proves nothing.
 */
export async function probeTiktokPost(
  credentials: Credentials,
  { text }: Publication,
  handle: Handle,
  since: string,
): Promise<ProbeOutcome> {
  const { publishId, username = '' } = handleShape.partial().parse(handle);
  if (publishId === undefined) {
    const videos = await listTiktokVideos(credentials);
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
      : { state: 'processing', retryAfterMs: pollMs };
  } catch (failure) {
    if (failure instanceof NetworkError && failure.kind === 'notFound') {
      return { state: 'unknown' };
    }
    throw failure;
  }
}

/** Until moderation has ended a post has no id of its own: it goes by its publication's. */
function publishedAs(publishId: string, postId: string | undefined, username: string): Published {
  return {
    state: 'published',
    platformPostId: postId ?? publishId,
    url: postId === undefined ? null : `https://www.tiktok.com/@${username}/video/${postId}`,
  };
}

function videoPost({ text, mediaUrls }: Publication, handle: TiktokHandle) {
  return {
    post_info: {
      title: text,
      privacy_level: handle.privacyLevel,
      disable_comment: handle.isCommentDisabled,
      disable_duet: handle.isDuetDisabled,
      disable_stitch: handle.isStitchDisabled,
    },
    source_info: { source: 'PULL_FROM_URL', video_url: mediaUrls[0] },
  };
}

/** `photo_cover_index`, and the text as description, are from memory: see the vendor's page. */
function photoPost({ text, mediaUrls }: Publication, handle: TiktokHandle) {
  return {
    media_type: 'PHOTO',
    post_mode: 'DIRECT_POST',
    post_info: {
      description: text,
      privacy_level: handle.privacyLevel,
      disable_comment: handle.isCommentDisabled,
    },
    source_info: { source: 'PULL_FROM_URL', photo_images: mediaUrls, photo_cover_index: 0 },
  };
}

/** One video, or up to 35 photos. */
async function requireMedia({ mediaUrls }: Publication): Promise<'video' | 'image'> {
  const isNumberRight = mediaUrls.length > 0 && mediaUrls.length <= maxPhotos;
  const kinds = isNumberRight ? await Promise.all(mediaUrls.map(findKind)) : [];
  if (kinds.length === 1 && kinds[0] === 'video') {
    return 'video';
  }
  if (kinds.length > 0 && kinds.every((kind) => kind === 'image')) {
    return 'image';
  }
  throw new MediaError('TIKTOK', 'refused', {
    message: `TikTok accepts one video (.mp4, .mov, .webm) or 1 to ${maxPhotos} photos`,
  });
}

/** What the URL does not tell, its server is asked for. */
async function findKind(url: string): Promise<string> {
  const known = mediaKindOf(url);
  if (known) {
    return known;
  }
  const media = await openMedia('TIKTOK', url, lookBounds);
  media.body.destroy();

  return media.contentType.split('/')[0] ?? '';
}

function refused(message: string): NetworkError {
  return new NetworkError('TIKTOK', 'refused', { message });
}

/** TikTok tells times in whole seconds. */
function wholeSecond(time: string): string {
  return time.replace(/\.\d+Z$/, '.000Z');
}
