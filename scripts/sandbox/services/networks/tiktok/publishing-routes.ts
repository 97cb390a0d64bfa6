import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import type { SandboxAnswer } from '../../../frame/service.ts';
import { callService } from '../call-service.ts';
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
import { usernameOf } from './account-routes.ts';
import {
  apiAnswer,
  bodyOf,
  reject,
  rejectParameter,
  requireCallLeft,
  requireGrant,
  withLongNumbers,
} from './api.ts';
import { publicationEvent } from './events.ts';

const maximumTitle = 2_200;
const maximumDescription = 4_000;
const maximumIds = 20;
const pollsWhileProcessing = 1;
/** The first answer that reports completion has no post id yet: moderation is still running. */
const pollsWithoutId = 2;
/** Gives the service time to record the publication before the event with its post id arrives. */
const moderationMs = 500;
const privacyLevels = ['PUBLIC_TO_EVERYONE', 'MUTUAL_FOLLOW_FRIENDS', 'SELF_ONLY'] as const;

const privacy_level = z.enum(privacyLevels);
const videoPost = z.object({
  post_info: z.object({ title: z.string().max(maximumTitle).default(''), privacy_level }),
  source_info: z.object({ source: z.literal('PULL_FROM_URL'), video_url: z.url() }),
});
const photoPost = z.object({
  media_type: z.literal('PHOTO'),
  post_mode: z.literal('DIRECT_POST'),
  post_info: z.object({
    description: z.string().max(maximumDescription).default(''),
    privacy_level,
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
    privacy_level_options: privacyLevels,
    comment_disabled: false,
    duet_disabled: false,
    stitch_disabled: true,
    max_video_post_duration_sec: 600,
  });
}

function publishVideo(call: NetworkCall): SandboxAnswer {
  const grant = requireGrant(call, 'video.publish');
  requireCallLeft(call, grant, 6);
  const parsed = videoPost.safeParse(bodyOf(call.request));

  if (!parsed.success) {
    return rejectInvalid(parsed.error);
  }

  const { post_info: info, source_info: source } = parsed.data;

  return publish(call.world, grant.userId, 'v_pub_url~v2', info.title, [source.video_url]);
}

function publishPhotos(call: NetworkCall): SandboxAnswer {
  const grant = requireGrant(call, 'video.publish');
  requireCallLeft(call, grant, 6);
  const parsed = photoPost.safeParse(bodyOf(call.request));

  if (!parsed.success) {
    return rejectInvalid(parsed.error);
  }

  const { post_info: info, source_info: source } = parsed.data;

  return publish(call.world, grant.userId, 'p_pub_url~v2', info.description, source.photo_images);
}

function rejectInvalid(error: z.ZodError): never {
  rejectParameter(`Invalid value: ${error.issues[0]?.path.join('.') || 'body'}`);
}

/**
 * Publishes a post, which TikTok first reports as processing. A medium named `fail-<reason>.mp4`
 * fails with that reason.
 */
function publish(
  world: NetworkWorld,
  userId: string,
  prefix: string,
  text: string,
  media: readonly string[],
): SandboxAnswer {
  const publishId = `${prefix}.${randomBytes(9).toString('hex')}`;
  const failReason = media
    .map((url) => /\/fail-([a-z_]+)\.\w+$/.exec(new URL(url).pathname)?.[1])
    .find((reason) => reason !== undefined);
  const postId = numericId(19);

  if (failReason === undefined) {
    const handle = usernameOf(accountOf(world, userId).name);
    const url = `https://www.tiktok.com/@${handle}/video/${postId}`;
    addPost(world, { id: postId, userId, text, media, url });
  }

  world.media.set(publishId, {
    id: publishId,
    userId,
    kind: 'publication',
    state: 'PROCESSING_DOWNLOAD',
    at: isoNow(world),
    polls: 0,
    details: { postId, failReason },
  });

  return apiAnswer({ publish_id: publishId });
}

/**
 * Reports completion or failure from the second read on. The post's id follows when moderation ends,
 * in later reads and as an event.
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

function stateOf({ polls, details }: SandboxMedia): string {
  if (polls < pollsWhileProcessing) {
    return 'PROCESSING_DOWNLOAD';
  }

  return details.failReason === undefined ? 'PUBLISH_COMPLETE' : 'FAILED';
}

function listVideos(call: NetworkCall): SandboxAnswer {
  const { userId } = requireGrant(call, 'video.list');
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
    videos: videos.map((post) => describe(call, post)),
    cursor: Date.parse(videos.at(-1)?.at ?? '') || 0,
    has_more: all.length > videos.length,
  });
}

function queryVideos(call: NetworkCall): SandboxAnswer {
  const { userId } = requireGrant(call, 'video.list');
  const requested = z
    .object({ filters: z.object({ video_ids: z.array(z.string()).min(1).max(maximumIds) }) })
    .safeParse(bodyOf(call.request));

  if (!requested.success) {
    rejectParameter('filters.video_ids must have 1 to 20 ids');
  }

  const videos = requested.data.filters.video_ids
    .flatMap((id) => call.world.posts.get(id) ?? [])
    .filter((post) => post.userId === userId);

  return apiAnswer({ videos: videos.map((post) => describe(call, post)) });
}

/** Returns only the requested fields. */
function describe({ request }: NetworkCall, post: SandboxPost) {
  const fields = (request.query.get('fields') ?? '').split(',');
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

  return Object.fromEntries(
    fields.filter((field) => Object.hasOwn(video, field)).map((field) => [field, video[field]]),
  );
}
