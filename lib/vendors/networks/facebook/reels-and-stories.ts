import { secondMs } from '#lib/platform/clock.ts';
import { callNetwork, readAnswer } from '#lib/vendors/networks/call-network.ts';
import { mediaKindAt } from '#lib/vendors/networks/media-type.ts';
import { explainGraph } from '#lib/vendors/networks/meta/explain-graph.ts';
import { mediaTimeoutMs, pathOf } from '#lib/vendors/networks/meta/graph-call.ts';
import type {
  CommitOutcome,
  Credentials,
  Handle,
  PreparationProgress,
  ProbeOutcome,
  Publication,
  Published,
} from '#lib/vendors/networks/network.ts';
import { MediaError, NetworkError } from '#lib/vendors/networks/network-error.ts';
import type { PostType } from '#schemas/post-settings.ts';
import * as z from '#schemas/zod.ts';
import { call, platform } from './call.ts';

const pollIntervalMs = 5 * secondMs;

const handleSchema = z.object({
  /** An unpublished photo of a story. */
  photoId: z.string().optional(),
  /** The upload session of a video. */
  videoId: z.string().optional(),
  uploadUrl: z.url().optional(),
  isUploaded: z.boolean().default(false),
  /** The id of the post, if the response contained it. */
  postId: z.string().optional(),
});
type State = z.output<typeof handleSchema>;

const created = z.object({ id: z.string() });
const started = z.object({ video_id: z.string(), upload_url: z.url() });
const id = z.union([z.string(), z.number()]).transform(String);
const finished = z.object({ success: z.boolean().optional(), post_id: id.optional() });
const phase = z.object({ status: z.string().optional() }).optional();
const videoState = z.object({
  status: z.object({
    video_status: z.string().optional(),
    uploading_phase: phase,
    publishing_phase: phase,
  }),
  post_id: id.optional(),
  permalink_url: z.string().optional(),
});
const stories = z.object({
  data: z.array(z.object({ post_id: id, media_id: id.optional(), url: z.string().nullish() })),
});

/** Returns the post type, if posts of this type are not published like a post in the feed. */
export function specialTypeOf({ settings }: Publication): Exclude<PostType, 'FEED'> | undefined {
  const { postType = 'FEED' } = settings ?? {};

  return postType === 'FEED' ? undefined : postType;
}

/**
 * Uploads the photo of a story, or the video of a reel or a story. The session's id is stored
 * before the upload, so a repeated upload continues the same session. Nothing is visible yet.
 */
export async function prepareSpecial(
  credentials: Credentials,
  publication: Publication,
  handle: Handle = {},
): Promise<PreparationProgress> {
  const known = handleSchema.parse(handle);
  if (known.photoId !== undefined) {
    return { state: 'ready', handle: known };
  }
  if (known.videoId !== undefined) {
    return continueUpload(credentials, publication, known);
  }
  const { url, kind } = await requireMedium(publication);
  if (kind === 'image') {
    return { state: 'ready', handle: { photoId: await uploadPhoto(credentials, url) } };
  }
  const answer = await call(credentials, {
    method: 'POST',
    path: pathOf(credentials.platformUserId, edgeOf(publication)),
    form: { upload_phase: 'start' },
    isHarmless: true,
  });
  const { video_id: videoId, upload_url: uploadUrl } = readAnswer(platform, started, answer);

  return { state: 'pending', handle: { videoId, uploadUrl }, retryAfterMs: 0 };
}

async function requireMedium(publication: Publication) {
  const [url = '', ...others] = publication.mediaUrls;
  const kind = url === '' ? undefined : await mediaKindAt(url);
  const isAccepted =
    kind === 'video' || (kind === 'image' && specialTypeOf(publication) === 'STORY');
  if (!isAccepted || others.length > 0) {
    throw new MediaError(platform, 'refused', {
      message:
        specialTypeOf(publication) === 'STORY'
          ? 'A story needs exactly one image or video'
          : 'A reel needs exactly one video',
    });
  }

  return { url, kind };
}

async function uploadPhoto(credentials: Credentials, url: string): Promise<string> {
  const answer = await call(credentials, {
    method: 'POST',
    path: pathOf(credentials.platformUserId, 'photos'),
    form: { url, published: 'false' },
    isHarmless: true,
    timeoutMs: mediaTimeoutMs(),
  });

  return readAnswer(platform, created, answer).id;
}

/** Makes Facebook fetch the video, and waits until it has. */
async function continueUpload(
  credentials: Credentials,
  publication: Publication,
  known: State,
): Promise<PreparationProgress> {
  const { videoId = '', uploadUrl, isUploaded } = known;
  if (!isUploaded && uploadUrl !== undefined) {
    await sendFileUrl(credentials, uploadUrl, publication.mediaUrls[0] ?? '');

    return { state: 'pending', handle: { videoId, isUploaded: true }, retryAfterMs: 0 };
  }
  const { status } = await readVideo(credentials, videoId);
  if (isFailed(status.video_status) || status.uploading_phase?.status === 'error') {
    throw new MediaError(platform, 'refused', { message: 'Facebook could not fetch the video' });
  }

  return status.uploading_phase?.status === 'complete'
    ? { state: 'ready', handle: known }
    : { state: 'pending', handle: known, retryAfterMs: pollIntervalMs };
}

async function sendFileUrl(
  { accessToken }: Credentials,
  uploadUrl: string,
  fileUrl: string,
): Promise<void> {
  const request = { method: 'POST', isHarmless: true } as const;
  await callNetwork({
    ...request,
    platform,
    url: uploadUrl,
    headers: { authorization: `OAuth ${accessToken}`, file_url: new URL(fileUrl).href },
    timeoutMs: mediaTimeoutMs(),
    explain: (answer) => explainGraph({ ...request, isOwnAccount: false }, answer),
  });
}

/** Publishes the upload. Facebook publishes an upload session only once. */
export async function commitSpecial(
  credentials: Credentials,
  publication: Publication,
  handle: Handle,
): Promise<CommitOutcome> {
  const { photoId, videoId } = handleSchema.parse(handle);
  if (photoId !== undefined) {
    const answer = await publish(credentials, 'photo_stories', { photo_id: photoId });

    return storyAs(answer.post_id ?? photoId, null);
  }
  const answer = await publish(credentials, edgeOf(publication), {
    upload_phase: 'finish',
    video_id: videoId,
    ...(specialTypeOf(publication) === 'REEL'
      ? { video_state: 'PUBLISHED', description: publication.text }
      : {}),
  });

  return {
    state: 'processing',
    handle: { videoId, isUploaded: true, ...(answer.post_id ? { postId: answer.post_id } : {}) },
    retryAfterMs: pollIntervalMs,
  };
}

async function publish(
  credentials: Credentials,
  edge: string,
  form: Readonly<Record<string, string | undefined>>,
) {
  const answer = readAnswer(
    platform,
    finished,
    await call(credentials, {
      method: 'POST',
      path: pathOf(credentials.platformUserId, edge),
      form,
    }),
    'outcomeUnknown',
  );
  if (answer.success === false) {
    throw new NetworkError(platform, 'outcomeUnknown', {
      message: 'Facebook did not confirm the publication',
    });
  }

  return answer;
}

/**
 * Finds a story by its photo, and a video by its session. Facebook lists only active stories, so
 * the outcome is unknown if the photo is not among them.
 */
export async function probeSpecial(
  credentials: Credentials,
  publication: Publication,
  handle: Handle,
): Promise<ProbeOutcome> {
  const { photoId, videoId, postId } = handleSchema.parse(handle);
  if (videoId === undefined) {
    const story = photoId === undefined ? undefined : await findStory(credentials, photoId);

    return story ?? { state: 'unknown' };
  }
  const { status, post_id: ownId, permalink_url: url } = await readVideo(credentials, videoId);
  if (isFailed(status.video_status)) {
    return { state: 'failed', reason: `The video ended with status ${status.video_status}` };
  }
  const published = status.publishing_phase?.status;
  if (published === 'not_started') {
    return { state: 'absent', reason: 'The video was uploaded and not published' };
  }
  if (published !== 'complete') {
    return published === 'error'
      ? { state: 'failed', reason: 'Facebook could not publish the video' }
      : { state: 'processing', retryAfterMs: pollIntervalMs };
  }
  if (specialTypeOf(publication) === 'STORY') {
    const known = postId ?? ownId;

    return known === undefined
      ? ((await findStory(credentials, videoId)) ?? storyAs(videoId, null))
      : storyAs(known, null);
  }

  return reelAs(credentials, postId ?? ownId ?? videoId, url);
}

async function findStory(
  credentials: Credentials,
  mediaId: string,
): Promise<Published | undefined> {
  const answer = await call(credentials, {
    path: pathOf(credentials.platformUserId, 'stories'),
    query: { fields: 'post_id,media_id,url' },
  });
  const story = readAnswer(platform, stories, answer).data.find((one) => one.media_id === mediaId);

  return story && storyAs(story.post_id, story.url ?? null);
}

async function readVideo(credentials: Credentials, videoId: string) {
  const answer = await call(credentials, {
    path: pathOf(videoId),
    query: { fields: 'status,post_id,permalink_url' },
  });

  return readAnswer(platform, videoState, answer);
}

function isFailed(status: string | undefined): boolean {
  return status === 'error' || status === 'expired';
}

function edgeOf(publication: Publication): 'video_reels' | 'video_stories' {
  return specialTypeOf(publication) === 'REEL' ? 'video_reels' : 'video_stories';
}

function storyAs(platformPostId: string, url: string | null): Published {
  return { state: 'published', platformPostId, url };
}

function reelAs(
  { platformUserId }: Credentials,
  postId: string,
  url: string | undefined,
): Published {
  return {
    state: 'published',
    platformPostId: postId.includes('_') ? postId : `${platformUserId}_${postId}`,
    url: url?.startsWith('/') ? `https://www.facebook.com${url}` : (url ?? null),
  };
}
