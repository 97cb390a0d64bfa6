import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import type { SandboxAnswer } from '../../../frame/service.ts';
import { callService } from '../call-service.ts';
import { detailsAt, detailsOfBytes, type MediumDetails } from '../medium-details.ts';
import type { NetworkCall, NetworkRoute } from '../network-definition.ts';
import {
  accountOf,
  addPost,
  isoNow,
  metricOf,
  type NetworkWorld,
  numericId,
  postsOf,
  type SandboxMedia,
  type SandboxPost,
} from '../network-world.ts';
import { perWorld } from '../per-world.ts';
import { usernameOf } from './account-routes.ts';
import {
  apiAnswer,
  bodyOf,
  reject,
  rejectParameter,
  requestedFields,
  requireCallLeft,
  requireGrant,
  withLongNumbers,
} from './api.ts';
import { publicationEvent } from './events.ts';

const maximumTitle = 2_200;
const maximumDescription = 4_000;
const maximumIds = 20;
const pollsWhileProcessing = 1;
/**
 * The first response that reports completion has no post id yet, because moderation is still
 * running.
 */
const pollsWithoutId = 2;
/** So the service records the publication before the event with the post id arrives. */
const moderationMs = 500;
/**
 * The privacy levels of public and private accounts. An account is private if its name begins with
 * "Private".
 */
const publicLevels = ['PUBLIC_TO_EVERYONE', 'MUTUAL_FOLLOW_FRIENDS', 'SELF_ONLY'];
const privateLevels = ['FOLLOWER_OF_CREATOR', 'MUTUAL_FOLLOW_FRIENDS', 'SELF_ONLY'];
const privacyLevels = [...publicLevels, ...privateLevels];

function optionsOf(world: NetworkWorld, userId: string): readonly string[] {
  return accountOf(world, userId).name.startsWith('Private') ? privateLevels : publicLevels;
}

const privacy_level = z.enum(privacyLevels);
const shared = {
  privacy_level,
  disable_comment: z.boolean().optional(),
  brand_content_toggle: z.boolean().optional(),
  brand_organic_toggle: z.boolean().optional(),
};
const videoPost = z.object({
  post_info: z.object({
    title: z.string().max(maximumTitle).default(''),
    ...shared,
    disable_duet: z.boolean().optional(),
    disable_stitch: z.boolean().optional(),
    is_aigc: z.boolean().optional(),
    video_cover_timestamp_ms: z.int().min(0).optional(),
  }),
  source_info: z.discriminatedUnion('source', [
    z.object({ source: z.literal('PULL_FROM_URL'), video_url: z.url() }),
    z.object({
      source: z.literal('FILE_UPLOAD'),
      video_size: z.int().min(1),
      chunk_size: z.int().min(1),
      total_chunk_count: z.int().min(1).max(1_000),
    }),
  ]),
});
const photoPost = z.object({
  media_type: z.literal('PHOTO'),
  post_mode: z.literal('DIRECT_POST'),
  post_info: z.object({
    description: z.string().max(maximumDescription).default(''),
    ...shared,
  }),
  source_info: z.object({
    source: z.literal('PULL_FROM_URL'),
    photo_images: z.array(z.url()).min(1).max(35),
    photo_cover_index: z.int().min(0),
  }),
});

/** Posts. */
export const publishingRoutes: readonly NetworkRoute[] = [
  {
    method: 'POST',
    path: /^\/v2\/post\/publish\/creator_info\/query\/$/,
    answer: readCreator,
  },
  { method: 'POST', path: /^\/v2\/post\/publish\/video\/init\/$/, answer: publishVideo },
  { method: 'PUT', path: /^\/video\/$/, answer: receiveChunk },
  { method: 'POST', path: /^\/v2\/post\/publish\/content\/init\/$/, answer: publishPhotos },
  { method: 'POST', path: /^\/v2\/post\/publish\/status\/fetch\/$/, answer: readStatus },
  { method: 'POST', path: /^\/v2\/video\/list\/$/, answer: listVideos },
  { method: 'POST', path: /^\/v2\/video\/query\/$/, answer: queryVideos },
];

function readCreator(call: NetworkCall): SandboxAnswer {
  const grant = requireGrant(call, 'video.publish');
  requireCallLeft(call, grant, 20);
  const { name } = accountOf(call.world, grant.userId);

  return apiAnswer({
    creator_avatar_url: 'https://p16-sign-va.tiktokcdn.com/avatar.webp',
    creator_username: usernameOf(name),
    creator_nickname: name,
    privacy_level_options: optionsOf(call.world, grant.userId),
    comment_disabled: false,
    duet_disabled: false,
    stitch_disabled: true,
    max_video_post_duration_sec: 600,
  });
}

async function publishVideo(call: NetworkCall): Promise<SandboxAnswer> {
  const grant = requireGrant(call, 'video.publish');
  requireCallLeft(call, grant, 6);
  const parsed = videoPost.safeParse(bodyOf(call.request));

  if (!parsed.success) {
    return rejectInvalid(parsed.error);
  }

  const { post_info: info, source_info: source } = parsed.data;
  const { title: text, ...settings } = requireAllowed(call.world, grant.userId, info);

  if (source.source === 'FILE_UPLOAD') {
    return openUpload(call, { userId: grant.userId, text, settings }, source);
  }

  const media = [source.video_url];

  return publish(call.world, { userId: grant.userId, text, media, settings }, 'v_pub_url~v2');
}

/** Rejects a privacy level that the account does not have, and private branded content. */
function requireAllowed<
  Info extends {
    readonly privacy_level: string;
    readonly brand_content_toggle?: boolean | undefined;
  },
>(world: NetworkWorld, userId: string, info: Info): Info {
  const { privacy_level: level, brand_content_toggle: isBranded = false } = info;

  if (!optionsOf(world, userId).includes(level)) {
    reject(
      403,
      'privacy_level_option_mismatch',
      'Please review the privacy level options of the creator',
    );
  }

  if (isBranded && level === 'SELF_ONLY') {
    rejectParameter('Branded content visibility cannot be set to private');
  }

  return info;
}

const minimumChunkBytes = 5_000_000;
const maximumChunkBytes = 64_000_000;

type Upload = {
  readonly userId: string;
  readonly text: string;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly size: number;
  readonly chunkSize: number;
  readonly chunkCount: number;
  readonly chunks: readonly Buffer[];
};

const uploads = perWorld(() => new Map<string, Upload>());

type FileUpload = {
  readonly video_size: number;
  readonly chunk_size: number;
  readonly total_chunk_count: number;
};

/** A small video is one chunk. All chunks but the last one have 5 to 64 MB. */
function openUpload(
  { world, request }: NetworkCall,
  post: Pick<Upload, 'userId' | 'text' | 'settings'>,
  { video_size: size, chunk_size: chunkSize, total_chunk_count: chunkCount }: FileUpload,
): SandboxAnswer {
  const isWhole = chunkSize === size && chunkCount === 1 && size <= maximumChunkBytes;
  const isInChunks =
    chunkSize >= minimumChunkBytes &&
    chunkSize <= maximumChunkBytes &&
    chunkCount === Math.floor(size / chunkSize);

  if (!isWhole && !isInChunks) {
    rejectParameter('The total chunk count is invalid');
  }

  const publishId = `v_pub_file~v2.${randomBytes(9).toString('hex')}`;
  uploads(world).set(publishId, { ...post, size, chunkSize, chunkCount, chunks: [] });
  keepPublication(world, publishId, post.userId, 'PROCESSING_UPLOAD', {});

  return apiAnswer({
    publish_id: publishId,
    upload_url: `http://${request.headers.host}/tiktok/video/?upload_id=${publishId}&upload_token=sandbox`,
  });
}

/**
 * Receives the chunks in order. The last one publishes the video. Knowing the URL is enough to
 * upload.
 */
function receiveChunk({ world, request }: NetworkCall): SandboxAnswer {
  const publishId = request.query.get('upload_id') ?? '';
  const upload = uploads(world).get(publishId);

  if (upload === undefined) {
    return { status: 403, body: '' };
  }

  const { userId, text, settings, size, chunkSize, chunkCount, chunks } = upload;
  const start = chunks.length * chunkSize;
  const isLast = chunks.length === chunkCount - 1;
  const end = (isLast ? size : start + chunkSize) - 1;

  if (request.headers['content-range'] !== `bytes ${start}-${end}/${size}`) {
    return { status: 416, body: '' };
  }

  if (request.bytes.length !== end - start + 1) {
    return { status: 400, body: '' };
  }

  const received = [...chunks, request.bytes];

  if (!isLast) {
    uploads(world).set(publishId, { ...upload, chunks: received });

    return { status: 206, headers: { 'content-range': `bytes 0-${end}/${size}` }, body: '' };
  }

  uploads(world).delete(publishId);
  const details = detailsOfBytes(Buffer.concat(received), request.headers['content-type']);
  const postId = addVideo(world, { userId, text, settings, media: [`sha256:${details.sha256}`] }, [
    details,
  ]);
  keepPublication(world, publishId, userId, 'PROCESSING_UPLOAD', { postId });

  return { status: 201, body: '' };
}

async function publishPhotos(call: NetworkCall): Promise<SandboxAnswer> {
  const grant = requireGrant(call, 'video.publish');
  requireCallLeft(call, grant, 6);
  const parsed = photoPost.safeParse(bodyOf(call.request));

  if (!parsed.success) {
    return rejectInvalid(parsed.error);
  }

  const { post_info: info, source_info: source } = parsed.data;
  const { description: text, ...settings } = requireAllowed(call.world, grant.userId, info);
  const media = source.photo_images;
  const post = { userId: grant.userId, text, media, settings };

  return publish(call.world, post, 'p_pub_url~v2');
}

function rejectInvalid(error: z.ZodError): never {
  rejectParameter(`Invalid value: ${error.issues[0]?.path.join('.') || 'body'}`);
}

/**
 * Publishes a post, which TikTok first reports as processing. A medium named `fail-<reason>.mp4`
 * fails with that reason.
 */
async function publish(world: NetworkWorld, post: NewPost, prefix: string): Promise<SandboxAnswer> {
  const publishId = `${prefix}.${randomBytes(9).toString('hex')}`;
  const failReason = post.media
    .map((url) => /\/fail-([a-z_]+)\.\w+$/.exec(new URL(url).pathname)?.[1])
    .find((reason) => reason !== undefined);
  const postId =
    failReason === undefined
      ? addVideo(world, post, await Promise.all(post.media.map((url) => detailsAt(url))))
      : numericId(19);
  keepPublication(world, publishId, post.userId, 'PROCESSING_DOWNLOAD', { postId, failReason });

  return apiAnswer({ publish_id: publishId });
}

type NewPost = Pick<SandboxPost, 'userId' | 'text' | 'media' | 'settings'>;

function addVideo(
  world: NetworkWorld,
  post: NewPost,
  mediaDetails: readonly MediumDetails[],
): string {
  const id = numericId(19);
  const handle = usernameOf(accountOf(world, post.userId).name);
  addPost(world, {
    ...post,
    id,
    mediaDetails,
    url: `https://www.tiktok.com/@${handle}/video/${id}`,
  });

  return id;
}

function keepPublication(
  world: NetworkWorld,
  id: string,
  userId: string,
  state: string,
  details: SandboxMedia['details'],
): void {
  world.media.set(id, {
    id,
    userId,
    kind: 'publication',
    state,
    at: isoNow(world),
    polls: 0,
    details,
  });
}

/**
 * Reports completion or failure from the second read on. The post's id appears when moderation
 * ends, in later reads and as an event.
 */
function readStatus(call: NetworkCall): SandboxAnswer {
  const grant = requireGrant(call, 'video.publish');
  requireCallLeft(call, grant, 30);
  const { publish_id: id = '' } = bodyOf(call.request) as { publish_id?: string };
  const publication = call.world.media.get(id);

  if (publication?.userId !== grant.userId) {
    return reject(400, 'invalid_publish_id', 'The publish_id does not exist');
  }

  const state = stateOf(publication);
  call.world.media.set(id, { ...publication, state, polls: publication.polls + 1 });
  const { failReason, postId } = publication.details;
  const isModerated = publication.polls >= pollsWithoutId;

  if (publication.polls === pollsWhileProcessing) {
    sendPublicationEvents(call.world, publication, state);
  }

  return withLongNumbers(
    apiAnswer({
      status: state,
      ...(state === 'FAILED' ? { fail_reason: failReason } : {}),
      ...(state === 'PUBLISH_COMPLETE'
        ? { publicaly_available_post_id: isModerated ? [postId] : [] }
        : {}),
    }),
  );
}

/** Sends the events of a publication, if the service's URL is known. */
function sendPublicationEvents(
  world: NetworkWorld,
  { id, userId, details }: SandboxMedia,
  state: string,
): void {
  const serviceUrl = world.serviceUrl();

  if (serviceUrl === undefined) {
    return;
  }

  const send = async (event: string, more: Readonly<Record<string, unknown>> = {}) => {
    const delivery = publicationEvent(world, userId, event, { publish_id: id, ...more });
    await callService(`${serviceUrl}/webhooks/tiktok`, { method: 'POST', ...delivery });
  };
  const sendAll = async () => {
    if (state === 'FAILED') {
      return send('post.publish.failed', { reason: details.failReason });
    }

    await send('post.publish.complete', { publish_type: 'DIRECT_PUBLISH' });

    return send('post.publish.publicly_available', {
      publish_type: 'DIRECT_PUBLISH',
      post_id: details.postId,
    });
  };
  setTimeout(sendAll, moderationMs).unref();
}

function stateOf({ polls, details, state }: SandboxMedia): string {
  const isWaiting = state === 'PROCESSING_UPLOAD' && details.postId === undefined;

  if (isWaiting || polls < pollsWhileProcessing) {
    return state;
  }

  return details.failReason === undefined ? 'PUBLISH_COMPLETE' : 'FAILED';
}

function listVideos(call: NetworkCall): SandboxAnswer {
  const { userId } = requireGrant(call, 'video.list');
  const fields = requestedFields(call.request, videoFields);
  const { max_count: size = 10, cursor } = bodyOf(call.request) as {
    max_count?: number;
    cursor?: number;
  };

  if (size < 1 || size > maximumIds) {
    rejectParameter('max_count must be between 1 and 20');
  }

  const before = cursor ?? Number.POSITIVE_INFINITY;
  const all = postsOf(call.world, userId).filter(({ at }) => Date.parse(at) < before);
  const videos = all.slice(0, size);

  return apiAnswer({
    videos: videos.map((post) => describe(post, fields)),
    cursor: Date.parse(videos.at(-1)?.at ?? '') || 0,
    has_more: all.length > videos.length,
  });
}

function queryVideos(call: NetworkCall): SandboxAnswer {
  const { userId } = requireGrant(call, 'video.list');
  const fields = requestedFields(call.request, videoFields);
  const requested = z
    .object({ filters: z.object({ video_ids: z.array(z.string()).min(1).max(maximumIds) }) })
    .safeParse(bodyOf(call.request));

  if (!requested.success) {
    rejectParameter('filters.video_ids must have 1 to 20 ids');
  }

  const videos = requested.data.filters.video_ids
    .flatMap((id) => call.world.posts.get(id) ?? [])
    .filter((post) => post.userId === userId);

  return apiAnswer({ videos: videos.map((post) => describe(post, fields)) });
}

/** From TikTok's documentation. The sandbox has no value for some of them. */
const videoFields =
  'id title video_description create_time share_url like_count comment_count share_count view_count cover_image_url duration height width embed_html embed_link'.split(
    ' ',
  );

/** Returns only the requested fields. */
function describe(post: SandboxPost, fields: readonly string[]) {
  const video: Readonly<Record<string, unknown>> = {
    id: post.id,
    title: post.text,
    video_description: post.text,
    create_time: Math.floor(Date.parse(post.at) / 1_000),
    share_url: post.url,
    like_count: metricOf(post, 'likes'),
    comment_count: metricOf(post, 'comments'),
    share_count: metricOf(post, 'shares'),
    view_count: metricOf(post, 'impressions'),
  };

  return Object.fromEntries(fields.map((field) => [field, video[field]]));
}
