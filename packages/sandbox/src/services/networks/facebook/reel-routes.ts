import { jsonAnswer } from '../../../frame/http.ts';
import type { SandboxAnswer } from '../../../frame/service.ts';
import { detailsAt, type MediumDetails } from '../medium-details.ts';
import { graphPath, parametersOf, reject, rejectParameter, textOf } from '../meta/api.ts';
import { listAnswer } from '../meta/fields.ts';
import { pageStory } from '../meta/node-types.ts';
import type { NetworkCall, NetworkRoute } from '../network-definition.ts';
import {
  addPost,
  isoNow,
  type NetworkWorld,
  numericId,
  postsOf,
  type SandboxMedia,
  type SandboxPost,
} from '../network-world.ts';
import { requirePageToken } from './page-access.ts';

const dayMs = 86_400_000;
const dailyReels = 30;
const kinds = { video_reels: 'REEL', video_stories: 'STORY' } as const;

/** Reels and stories: upload sessions, photos of stories, and the list of active stories. */
export const reelRoutes: readonly NetworkRoute[] = [
  { method: 'POST', path: graphPath('/([^/]+)/(video_reels|video_stories)'), answer: runPhase },
  { method: 'POST', path: /^\/video-upload\/v[\d.]+\/([^/]+)$/, answer: receiveVideo },
  { method: 'POST', path: graphPath('/([^/]+)/photo_stories'), answer: publishPhoto },
  { method: 'GET', path: graphPath('/([^/]+)/stories'), answer: listStories },
];

export function isStory({ settings }: SandboxPost): boolean {
  return settings?.postType === 'STORY';
}

function runPhase(call: NetworkCall): SandboxAnswer {
  const [pageId = '', edge = ''] = call.parts;
  requirePageToken(call, pageId, 'pages_manage_posts');
  const parameters = parametersOf(call.request);
  const postType = kinds[edge as keyof typeof kinds];

  switch (textOf(parameters, 'upload_phase')) {
    case 'start':
      return start(call, pageId, postType);
    case 'finish':
      return finish(call, pageId, postType);
    default:
      return rejectParameter('Param upload_phase must be one of {START, FINISH}');
  }
}

function start({ world, request }: NetworkCall, userId: string, postType: string): SandboxAnswer {
  const id = numericId(15);
  world.media.set(id, {
    id,
    userId,
    kind: 'upload',
    state: 'started',
    at: isoNow(world),
    polls: 0,
    details: { postType },
  });

  return jsonAnswer(200, {
    video_id: id,
    upload_url: `http://${request.headers.host}/facebook/video-upload/v25.0/${id}`,
  });
}

/** Fetches the video at `file_url`. Facebook accepts the URL only in this header. */
async function receiveVideo({ world, request, parts }: NetworkCall): Promise<SandboxAnswer> {
  const [id = ''] = parts;
  const upload = world.media.get(id);
  const token = /^OAuth (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
  const { state, grant } = world.tokens.check(token);

  if (state !== 'valid' || upload?.kind !== 'upload' || grant?.userId !== upload.userId) {
    return jsonAnswer(401, {
      debug_info: { retriable: false, type: 'NotAuthorizedError', message: 'Not authorized' },
    });
  }

  const { file_url: url = '' } = request.headers;

  if (!URL.canParse(url)) {
    return jsonAnswer(400, {
      debug_info: { retriable: false, type: 'ProcessingFailedError', message: 'No file_url' },
    });
  }

  const details = { ...upload.details, url, medium: await detailsAt(url) };
  world.media.set(id, { ...upload, state: 'uploaded', details });

  return jsonAnswer(200, { success: true });
}

/** A session is published once. Its post appears when `readUpload` reports it as complete. */
function finish(call: NetworkCall, pageId: string, postType: string): SandboxAnswer {
  const { world, request } = call;
  const parameters = parametersOf(request);
  const id = textOf(parameters, 'video_id') ?? '';
  const upload = world.media.get(id);

  if (upload?.userId !== pageId || upload.details.postType !== postType) {
    return rejectParameter('Invalid video_id');
  }

  if (upload.state !== 'uploaded') {
    reject({
      status: 400,
      code: 6000,
      subcode: 1363130,
      message: 'The video was not uploaded, or is published already',
    });
  }

  if (postType === 'REEL' && textOf(parameters, 'video_state') !== 'PUBLISHED') {
    rejectParameter('Only video_state PUBLISHED is supported');
  }

  if (postType === 'REEL' && world.rates.take(`reels of ${pageId}`, dailyReels, dayMs).isExceeded) {
    reject({ status: 400, code: 368, message: 'You have reached the limit of reels for a day' });
  }

  const postId = numericId(15);
  const text = postType === 'REEL' ? (textOf(parameters, 'description') ?? '') : '';
  world.media.set(id, {
    ...upload,
    state: 'publishing',
    polls: 0,
    details: { ...upload.details, postId, text },
  });

  return jsonAnswer(200, { success: true, ...(postType === 'STORY' ? { post_id: postId } : {}) });
}

/** `GET /{video-id}`: an upload is complete on the first read, a publication on the second. */
export function readUpload(world: NetworkWorld, upload: SandboxMedia) {
  const { id, state, polls, details } = upload;
  const isReady = state === 'publishing' && polls > 0;

  if (isReady) {
    addUploaded(world, upload);
  }

  const isPublished = isReady || state === 'published';
  const isUploaded = state !== 'started';
  world.media.set(id, { ...upload, polls: polls + 1, state: isReady ? 'published' : state });

  return {
    id,
    status: {
      video_status: isPublished ? 'ready' : isUploaded ? 'upload_complete' : 'uploading',
      uploading_phase: { status: isUploaded ? 'complete' : 'not_started' },
      processing_phase: { status: isPublished ? 'complete' : 'not_started' },
      publishing_phase: isPublished
        ? { status: 'complete', publish_status: 'published' }
        : { status: state === 'publishing' ? 'in_progress' : 'not_started' },
    },
    ...(isPublished && details.postType === 'REEL'
      ? { post_id: details.postId, permalink_url: `/reel/${id}/` }
      : {}),
  };
}

function addUploaded(world: NetworkWorld, { userId, id, details }: SandboxMedia): void {
  const ownId = String(details.postId);
  addPost(world, {
    id: details.postType === 'REEL' ? `${userId}_${ownId}` : ownId,
    userId,
    text: String(details.text),
    media: [String(details.url)],
    mediaDetails: [details.medium as MediumDetails],
    url: `https://www.facebook.com/${details.postType === 'REEL' ? 'reel' : 'stories'}/${id}/`,
    settings: { postType: details.postType, mediaId: id },
  });
}

function publishPhoto(call: NetworkCall): SandboxAnswer {
  const [pageId = ''] = call.parts;
  const { world, request } = call;
  requirePageToken(call, pageId, 'pages_manage_posts');
  const photoId = textOf(parametersOf(request), 'photo_id') ?? '';
  const photo = world.media.get(photoId);

  if (photo?.userId !== pageId || photo.kind !== 'photo' || photo.state !== 'UNPUBLISHED') {
    return rejectParameter('Invalid photo_id');
  }

  world.media.set(photoId, { ...photo, state: 'PUBLISHED' });
  const id = numericId(15);
  addPost(world, {
    id,
    userId: pageId,
    text: '',
    media: [String(photo.details.url)],
    mediaDetails: [photo.details as MediumDetails],
    url: `https://www.facebook.com/stories/${id}/`,
    settings: { postType: 'STORY', mediaId: photoId },
  });

  return jsonAnswer(200, { success: true, post_id: id });
}

/** Stories of the last 24 hours. */
function listStories(call: NetworkCall): SandboxAnswer {
  const [pageId = ''] = call.parts;
  const { world } = call;
  requirePageToken(call, pageId, 'pages_read_engagement');
  const since = world.clock().getTime() - dayMs;
  const active = postsOf(world, pageId).filter(
    (post) => isStory(post) && Date.parse(post.at) >= since,
  );

  return listAnswer(call.request, pageStory, {
    data: active.map((post) => ({
      post_id: post.id,
      media_id: post.settings?.mediaId,
      media_type: 'photo',
      status: 'published',
      creation_time: String(Math.floor(Date.parse(post.at) / 1_000)),
      url: post.url,
    })),
  });
}
