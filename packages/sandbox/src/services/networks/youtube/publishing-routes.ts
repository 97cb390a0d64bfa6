import { createHash, randomBytes } from 'node:crypto';
import { jsonAnswer } from '../../../frame/http.ts';
import type { SandboxAnswer } from '../../../frame/service.ts';
import { detailsOfBytes } from '../medium-details.ts';
import {
  type NetworkCall,
  NetworkRejectionError,
  type NetworkRoute,
} from '../network-definition.ts';
import {
  addPost,
  isoNow,
  metricOf,
  type NetworkWorld,
  type SandboxMedia,
  type SandboxPost,
} from '../network-world.ts';
import { perWorld } from '../per-world.ts';
import {
  apiError,
  bodyOf,
  only,
  partsOf,
  reject,
  rejectParameter,
  requireGrant,
  scopes,
  valuesOf,
} from './api.ts';
import { notifySubscribers } from './events.ts';
import { projectOf } from './project.ts';

const uploaders = [scopes.upload, scopes.all];
const readers = [scopes.all, scopes.read];
const maximumTitleLength = 100;
const maximumDescriptionBytes = 5_000;

type Session = {
  readonly userId: string;
  readonly title: string;
  readonly description: string;
  readonly privacyStatus: string;
  /** The remaining fields of the metadata. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly totalBytes: number;
  readonly received: Buffer;
  /** The uploaded video. */
  readonly videoId?: string;
  readonly contentType: string;
};

const sessions = perWorld(() => new Map<string, Session>());
const titles = perWorld(() => new Map<string, string>());

/** Videos: resumable uploads, states and metrics. */
export const publishingRoutes: readonly NetworkRoute[] = [
  { method: 'POST', path: /^\/upload\/youtube\/v3\/videos$/, answer: openSession },
  { method: 'PUT', path: /^\/upload\/youtube\/v3\/videos$/, answer: receiveBytes },
  { method: 'GET', path: /^\/youtube\/v3\/videos$/, answer: listVideos },
  { method: 'POST', path: /^\/upload\/youtube\/v3\/thumbnails\/set$/, answer: setThumbnail },
  { method: 'DELETE', path: /^\/youtube\/v3\/videos$/, answer: deleteVideo },
];

/** Stores the public video of a post that was created at YouTube itself. */
export function keepVideo(world: NetworkWorld, { id, userId, text, at }: SandboxPost): void {
  titles(world).set(id, text.slice(0, maximumTitleLength));
  const details = { privacyStatus: 'public' };
  world.media.set(id, { id, userId, kind: 'video', state: 'processed', at, polls: 0, details });
}

export function titleOf(world: NetworkWorld, videoId: string): string {
  return titles(world).get(videoId) ?? '';
}

function openSession(call: NetworkCall): SandboxAnswer {
  const { world, request } = call;
  const grant = requireGrant(call, uploaders, { uploads: 1 });

  if (request.query.get('uploadType') !== 'resumable') {
    rejectParameter('uploadType');
  }

  partsOf(request);
  const { snippet, status } = bodyOf(request) as {
    readonly snippet?: Snippet;
    readonly status?: {
      readonly privacyStatus?: string;
      readonly selfDeclaredMadeForKids?: boolean;
    };
  };
  const { title = '', description = '', tags, categoryId } = snippet ?? {};
  checkMetadata(title, description);
  checkDetails(snippet, status?.privacyStatus);
  const notifySubscribers = request.query.get('notifySubscribers');
  const id = randomBytes(24).toString('base64url');
  sessions(world).set(id, {
    userId: grant.userId,
    title,
    description,
    privacyStatus: status?.privacyStatus ?? 'public',
    settings: {
      privacyStatus: status?.privacyStatus,
      selfDeclaredMadeForKids: status?.selfDeclaredMadeForKids,
      ...(tags ? { tags } : {}),
      ...(categoryId === undefined ? {} : { categoryId }),
      ...(notifySubscribers === null ? {} : { notifySubscribers: notifySubscribers === 'true' }),
    },
    totalBytes: Number(request.headers['x-upload-content-length'] ?? 0),
    contentType: request.headers['x-upload-content-type'] ?? '',
    received: Buffer.alloc(0),
  });
  const location = `http://${request.headers.host}/youtube${request.path}?${request.query}&upload_id=${id}`;

  return { status: 200, headers: { location, 'x-guploader-uploadid': id }, body: '' };
}

type Snippet = {
  readonly title?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly categoryId?: string;
};

const privacyStatuses = ['public', 'unlisted', 'private'];
/** Categories that videos can have. */
const categories = '1 2 10 15 17 19 20 22 23 24 25 26 27 28 29'.split(' ');
const maximumTagsLength = 500;

function checkDetails(
  { tags = [], categoryId = '22' }: Snippet = {},
  privacyStatus = 'public',
): void {
  const quoted = tags.map((tag) => (tag.includes(' ') ? `"${tag}"` : tag)).join(',');

  if (quoted.length > maximumTagsLength || /[<>]/.test(quoted)) {
    rejectMetadata('invalidTags', 'The request metadata specifies invalid video keywords.');
  }

  if (!categories.includes(categoryId)) {
    rejectMetadata('invalidCategoryId', 'The request metadata specifies an invalid category ID.');
  }

  if (!privacyStatuses.includes(privacyStatus)) {
    rejectMetadata('invalidVideoMetadata', 'The request metadata specifies an invalid privacy.');
  }
}

function checkMetadata(title: string, description: string): void {
  if (title.trim() === '' || title.length > maximumTitleLength || /[<>]/.test(title)) {
    rejectMetadata('invalidTitle', 'The request metadata specifies an invalid or empty title.');
  }

  if (Buffer.byteLength(description) > maximumDescriptionBytes || /[<>]/.test(description)) {
    rejectMetadata('invalidDescription', 'The request metadata specifies an invalid description.');
  }
}

function rejectMetadata(reason: string, message: string): never {
  reject({ status: 400, reason, domain: 'youtube.video', message });
}

/** Receives bytes, or returns the progress of a session. Knowing the URL is enough to upload. */
function receiveBytes(call: NetworkCall): SandboxAnswer {
  const { world, request } = call;
  const id = request.query.get('upload_id') ?? '';
  const session = sessions(world).get(id);

  if (session === undefined) {
    return { status: 404, body: 'Not Found' };
  }

  if (session.videoId !== undefined) {
    return describeVideo(world, session.videoId);
  }

  const range = request.headers['content-range'];
  const from = Number(/^bytes (\d+)-/.exec(range ?? '')?.[1] ?? 0);

  if (request.bytes.length > 0 && from !== session.received.length) {
    return apiError({
      status: 400,
      reason: 'badRequest',
      domain: 'global',
      message: 'Failed to parse Content-Range header.',
    });
  }

  const received = Buffer.concat([session.received, request.bytes]);
  sessions(world).set(id, { ...session, received });

  return received.length < session.totalBytes || received.length === 0
    ? progressAnswer(received.length)
    : finish(world, id, { ...session, received });
}

function progressAnswer(length: number): SandboxAnswer {
  return {
    status: 308,
    headers: length === 0 ? {} : { range: `bytes=0-${length - 1}` },
    body: '',
  };
}

/** Creates the video after its last byte. Processing fails if it begins with "corrupt". */
function finish(world: NetworkWorld, sessionId: string, session: Session): SandboxAnswer {
  const { userId, title, description, privacyStatus, received } = session;
  const id = randomBytes(8).toString('base64url');
  const sha256 = createHash('sha256').update(received).digest('hex');
  const beginning = received.subarray(0, 7).toString();
  sessions(world).set(sessionId, { ...session, received: Buffer.alloc(0), videoId: id });
  titles(world).set(id, title);
  world.media.set(id, {
    id,
    userId,
    kind: 'video',
    state: beginning === 'corrupt' ? 'failed' : 'uploaded',
    at: isoNow(world),
    polls: 0,
    details: {
      sha256,
      bytes: received.length,
      privacyStatus: projectOf(world).isAudited ? privacyStatus : 'private',
      isSlow: beginning === 'slow...',
    },
  });

  if (beginning !== 'corrupt') {
    const url = `https://www.youtube.com/watch?v=${id}`;
    addPost(world, {
      id,
      userId,
      text: description,
      media: [`sha256:${sha256}`],
      mediaDetails: [detailsOfBytes(received, session.contentType)],
      url,
      settings: { title, ...session.settings },
    });
    notifySubscribers(world, id, title);
  }

  return describeVideo(world, id);
}

function describeVideo(world: NetworkWorld, id: string): SandboxAnswer {
  const { state = 'deleted', details } = world.media.get(id) ?? {};

  return jsonAnswer(200, {
    kind: 'youtube#video',
    id,
    snippet: { title: titleOf(world, id) },
    status: { uploadStatus: state, privacyStatus: details?.privacyStatus },
  });
}

function listVideos(call: NetworkCall): SandboxAnswer {
  const { world, request } = call;
  requireGrant(call, readers);
  const parts = partsOf(request);
  const ids = valuesOf(request, 'id');

  if (ids.length === 0) {
    rejectParameter('id');
  }

  if (ids.length > 50) {
    reject({ status: 400, reason: 'invalidFilters', message: 'Too many ids' });
  }

  const items = ids.flatMap((id) => {
    const video = world.media.get(id);

    return video === undefined ? [] : [describe(world, video, parts)];
  });

  return jsonAnswer(200, { kind: 'youtube#videoListResponse', items });
}

function describe(world: NetworkWorld, video: SandboxMedia, parts: ReadonlySet<string>) {
  const state = parts.has('status') ? poll(world, video) : video.state;
  const post = world.posts.get(video.id);
  const metric = (name: string) => String(post ? metricOf(post, name) : 0);

  return {
    kind: 'youtube#video',
    id: video.id,
    ...only(parts, {
      snippet: { title: titleOf(world, video.id), channelId: video.userId, publishedAt: video.at },
      status: {
        uploadStatus: state,
        privacyStatus: video.details.privacyStatus,
        ...(state === 'failed' ? { failureReason: 'conversion' } : {}),
      },
      statistics: {
        viewCount: metric('impressions'),
        likeCount: metric('likes'),
        commentCount: metric('comments'),
      },
    }),
  };
}

/** A video is ready on the first read, or on the third if it begins with "slow...". */
function poll(world: NetworkWorld, video: SandboxMedia): string {
  const polls = video.polls + 1;
  const isReady = polls >= (video.details.isSlow ? 3 : 1);
  const state = video.state === 'uploaded' && isReady ? 'processed' : video.state;
  world.media.set(video.id, { ...video, polls, state });

  return state;
}

const maximumThumbnailBytes = 2_097_152;

function setThumbnail(call: NetworkCall): SandboxAnswer {
  const { world, request } = call;
  const grant = requireGrant(call, uploaders, { units: 50 });
  const id = request.query.get('videoId') ?? rejectParameter('videoId');
  const video = world.media.get(id);
  const contentType = request.headers['content-type'] ?? '';

  if (video === undefined) {
    reject({
      status: 404,
      reason: 'videoNotFound',
      domain: 'youtube.thumbnail',
      message: 'The video that you are trying to insert a thumbnail image for cannot be found.',
    });
  }

  if (video.userId !== grant.userId) {
    reject({
      status: 403,
      reason: 'forbidden',
      domain: 'youtube.thumbnail',
      message: 'The thumbnail cannot be set for the specified video.',
    });
  }

  if (!['image/jpeg', 'image/png', 'application/octet-stream'].includes(contentType)) {
    reject({
      status: 400,
      reason: 'invalidImage',
      domain: 'youtube.thumbnail',
      message: 'The provided image content is invalid.',
    });
  }

  if (request.bytes.length === 0 || request.bytes.length > maximumThumbnailBytes) {
    reject({
      status: 400,
      reason: 'mediaBodyRequired',
      domain: 'youtube.thumbnail',
      message: 'The request does not include the image content.',
    });
  }

  const post = world.posts.get(id);

  if (post !== undefined) {
    const thumbnail = detailsOfBytes(request.bytes, contentType);
    world.posts.set(id, { ...post, settings: { ...post.settings, thumbnail } });
  }

  return jsonAnswer(200, { kind: 'youtube#thumbnailSetResponse', items: [] });
}

function deleteVideo(call: NetworkCall): SandboxAnswer {
  const { world, request } = call;
  const grant = requireGrant(call, [scopes.all], { units: 50 });
  const id = request.query.get('id') ?? rejectParameter('id');
  const video = world.media.get(id);

  if (video === undefined) {
    throw new NetworkRejectionError(
      apiError({
        status: 404,
        reason: 'videoNotFound',
        domain: 'youtube.video',
        message: 'The video that you are trying to delete cannot be found.',
      }),
    );
  }

  if (video.userId !== grant.userId) {
    reject({
      status: 403,
      reason: 'forbidden',
      domain: 'youtube.video',
      message: 'The video that you are trying to delete cannot be deleted.',
    });
  }

  world.media.delete(id);
  world.posts.delete(id);

  return { status: 204, body: '' };
}
