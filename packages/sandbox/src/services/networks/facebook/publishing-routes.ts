import * as z from 'zod';
import { jsonAnswer } from '../../../frame/http.ts';
import type { SandboxAnswer } from '../../../frame/service.ts';
import { detailsAt, type MediumDetails } from '../medium-details.ts';
import {
  graphPage,
  graphPath,
  graphTime,
  parametersOf,
  reject,
  rejectParameter,
  rejectUnknown,
  requireGrant,
  requireProof,
  structureOf,
  textOf,
} from '../meta/api.ts';
import { listAnswer, nodeAnswer } from '../meta/fields.ts';
import { readMessage } from '../meta/messages.ts';
import {
  comment as commentType,
  newPagePost,
  page,
  pagePost,
  profile,
  video as videoType,
} from '../meta/node-types.ts';
import { readProfile } from '../meta/profile.ts';
import type { NetworkCall, NetworkRoute } from '../network-definition.ts';
import {
  addCommentReply,
  addOwnComment,
  addPost,
  commentsOn,
  deleteComment,
  isoNow,
  markComment,
  metricOf,
  type NetworkWorld,
  numericId,
  postsOf,
  type SandboxComment,
  type SandboxMedia,
  type SandboxPost,
} from '../network-world.ts';
import { describePage } from './account-routes.ts';
import { readLead } from './lead-ads.ts';
import { requireOwnPost, requirePageToken } from './page-access.ts';
import { isStory, readUpload, reelRoutes } from './reel-routes.ts';

const maximumTextLength = 63_206;
const attachedSchema = z.array(z.object({ media_fbid: z.string() }));

/** Posts, their media and their comments. */
export const publishingRoutes: readonly NetworkRoute[] = [
  ...reelRoutes,
  { method: 'POST', path: graphPath('/([^/]+)/feed'), answer: publish },
  { method: 'GET', path: graphPath('/([^/]+)/published_posts'), answer: listPosts },
  { method: 'POST', path: graphPath('/([^/]+)/photos'), answer: uploadPhoto },
  { method: 'POST', path: graphPath('/([^/]+)/videos'), answer: publishVideo },
  { method: 'POST', path: graphPath('/([^/]+)/comments'), answer: answerComment },
  { method: 'GET', path: graphPath('/([^/]+)/comments'), answer: listComments },
  { method: 'POST', path: graphPath('/([^/]+)/likes'), answer: likeComment },
  { method: 'DELETE', path: graphPath('/([^/]+)/likes'), answer: likeComment },
  { method: 'GET', path: graphPath('/([^/]+)'), answer: readObject },
  { method: 'POST', path: graphPath('/([^/]+)'), answer: hideComment },
  { method: 'DELETE', path: graphPath('/([^/]+)'), answer: deleteObject },
];

function publish(call: NetworkCall): SandboxAnswer {
  const [pageId = ''] = call.parts;
  const { world, request } = call;
  requirePageToken(call, pageId, 'pages_manage_posts');
  const parameters = parametersOf(request);
  const text = textOf(parameters, 'message') ?? '';
  const attached = attachedSchema.safeParse(structureOf(parameters, 'attached_media') ?? []);

  if (!attached.success) {
    rejectParameter('Param attached_media must be an array.');
  }

  if (text === '' && attached.data.length === 0) {
    reject({
      status: 400,
      code: 100,
      subcode: 1349125,
      message: '(#100) Missing Message Or Attachment',
    });
  }

  requireShortText(text);
  const photos = attached.data.map(({ media_fbid }) => takePhoto(world, pageId, media_fbid));
  const id = `${pageId}_${numericId(15)}`;
  const post = addPost(world, {
    id,
    userId: pageId,
    text,
    media: photos.map(({ url }) => String(url)),
    mediaDetails: photos,
    url: postUrl(id),
  });

  return nodeAnswer(request, newPagePost, describePost(world, post));
}

function requireShortText(text: string): void {
  if (text.length > maximumTextLength) {
    rejectParameter('The status you are trying to publish is too long');
  }
}

/** Marks an unpublished photo as used. Each photo can be used once. */
function takePhoto(world: NetworkWorld, pageId: string, photoId: string): MediumDetails {
  const photo = world.media.get(photoId);

  if (photo?.userId !== pageId || photo.kind !== 'photo' || photo.state !== 'UNPUBLISHED') {
    return rejectParameter(`Invalid media_fbid ${photoId}`);
  }

  world.media.set(photoId, { ...photo, state: 'PUBLISHED' });

  return photo.details as MediumDetails;
}

export function postUrl(id: string): string {
  return `https://www.facebook.com/${encodeURIComponent(id)}`;
}

async function uploadPhoto(call: NetworkCall): Promise<SandboxAnswer> {
  const [pageId = ''] = call.parts;
  const { world, request } = call;
  requirePageToken(call, pageId, 'pages_manage_posts');
  const parameters = parametersOf(request);
  const url = requireFileUrl(textOf(parameters, 'url'));

  if (String(parameters.published) !== 'false') {
    rejectParameter('Only unpublished photos are supported');
  }

  const id = numericId(15);
  world.media.set(id, {
    id,
    userId: pageId,
    kind: 'photo',
    state: 'UNPUBLISHED',
    at: isoNow(world),
    polls: 0,
    details: await detailsAt(url, textOf(parameters, 'alt_text_custom') ?? null),
  });

  return jsonAnswer(200, { id });
}

function requireFileUrl(url: string | undefined): string {
  if (url === undefined || !URL.canParse(url)) {
    return reject({
      status: 400,
      code: 324,
      message: '(#324) Requires upload file',
    });
  }

  return url;
}

/** Accepts a video. Its post appears once `readObject` reports the video as ready. */
async function publishVideo(call: NetworkCall): Promise<SandboxAnswer> {
  const [pageId = ''] = call.parts;
  const { world, request } = call;
  requirePageToken(call, pageId, 'pages_manage_posts');
  const parameters = parametersOf(request);
  const url = requireFileUrl(textOf(parameters, 'file_url'));
  const text = textOf(parameters, 'description') ?? '';
  requireShortText(text);
  const id = numericId(15);
  world.media.set(id, {
    id,
    userId: pageId,
    kind: 'video',
    state: 'processing',
    at: isoNow(world),
    polls: 0,
    details: { url, text, medium: await detailsAt(url) },
  });

  return jsonAnswer(200, { id });
}

function listPosts(call: NetworkCall): SandboxAnswer {
  const [pageId = ''] = call.parts;
  requirePageToken(call, pageId, 'pages_read_engagement');
  const { request, world } = call;
  const since = Number(request.query.get('since') ?? 0) * 1_000;
  const posts = postsOf(world, pageId).filter(
    (post) => Date.parse(post.at) >= since && !isStory(post),
  );
  const { items, paging } = graphPage(posts, request);

  return listAnswer(request, pagePost, {
    data: items.map((post) => describePost(world, post)),
    paging,
    ...(request.query.get('summary') === 'total_count'
      ? { summary: { total_count: posts.length } }
      : {}),
  });
}

function describePost(world: NetworkWorld, post: SandboxPost) {
  const comments = [...world.comments.values()].filter((one) => one.postId === post.id).length;

  return {
    id: post.id,
    message: post.text,
    created_time: graphTime(post.at),
    permalink_url: post.url,
    shares: { count: metricOf(post, 'shares') },
    comments: { data: [], summary: { total_count: post.metrics.comments ?? comments } },
    reactions: { data: [], summary: { total_count: metricOf(post, 'likes') } },
  };
}

/** `GET /{id}`: a lead, a page, a post or a video. */
function readObject(call: NetworkCall): SandboxAnswer {
  const lead = readLead(call);

  if (lead !== undefined) {
    return lead;
  }

  const [id = ''] = call.parts;
  const { world } = call;
  const grant = requireGrant(call, 'pages_read_engagement');
  requireProof(call, grant);
  const post = world.posts.get(id);
  const video = world.media.get(id);

  if (post !== undefined && post.userId === grant.userId) {
    return nodeAnswer(call.request, pagePost, describePost(world, post));
  }

  if (video?.kind === 'video' && video.userId === grant.userId) {
    return nodeAnswer(call.request, videoType, readVideo(world, video));
  }

  if (video?.kind === 'upload' && video.userId === grant.userId) {
    return nodeAnswer(call.request, videoType, readUpload(world, video));
  }

  if (!grant.isPerson && ['me', grant.userId].includes(id)) {
    return nodeAnswer(call.request, page, describePage(world, grant.userId));
  }

  return (
    readMessage(call, grant.userId, 'pages_messaging') ?? readProfile(call, grant.userId, profile)
  );
}

/** A video is ready on the second read, which also publishes its post. */
function readVideo(world: NetworkWorld, video: SandboxMedia) {
  const { id } = video;
  const isReady = video.polls > 0;
  // The post of a video has a different id than the video.
  const ownId = String(video.details.postId ?? numericId(15));
  const postId = `${video.userId}_${ownId}`;

  if (isReady && video.state === 'processing') {
    addPost(world, {
      id: postId,
      userId: video.userId,
      text: String(video.details.text),
      media: [String(video.details.url)],
      mediaDetails: [video.details.medium as MediumDetails],
      url: postUrl(postId),
    });
  }

  const state = isReady ? 'ready' : 'processing';
  const details = { ...video.details, postId: ownId };
  world.media.set(id, { ...video, polls: video.polls + 1, state, details });

  return {
    id,
    description: String(video.details.text),
    status: { video_status: state },
    ...(isReady ? { post_id: ownId, permalink_url: `/${video.userId}/videos/${id}/` } : {}),
  };
}

/** `DELETE /{id}`: a comment or a post. */
function deleteObject(call: NetworkCall): SandboxAnswer {
  const [id = ''] = call.parts;

  if (call.world.comments.has(id)) {
    deleteComment(call.world, requireComment(call));

    return jsonAnswer(200, { success: true });
  }

  requireOwnPost(call, id, 'pages_manage_posts');
  call.world.posts.delete(id);

  return jsonAnswer(200, { success: true });
}

/** Lists the top-level comments on a post of the page, newest first. */
function listComments(call: NetworkCall): SandboxAnswer {
  const [postId = ''] = call.parts;
  const { world, request } = call;
  requireOwnPost(call, postId, 'pages_read_user_content');
  const { query } = request;

  if (query.get('order') !== 'reverse_chronological' || query.get('filter') !== 'toplevel') {
    rejectParameter('The sandbox only lists top-level comments, newest first');
  }

  const all = commentsOn(world, postId);
  const from = Number(query.get('after') ?? 0);
  const next = from + Number(query.get('limit') ?? 25);

  return listAnswer(request, commentType, {
    data: all.slice(from, next).map(describeComment),
    ...(all.length > next
      ? { paging: { cursors: { after: String(next) }, next: `${request.path}?after=${next}` } }
      : {}),
  });
}

function describeComment({ id, text, from, at, parentId, isHidden, isLiked }: SandboxComment) {
  return {
    id,
    message: text,
    from,
    created_time: graphTime(at),
    ...(parentId === null ? {} : { parent: { id: parentId } }),
    is_hidden: isHidden ?? false,
    user_likes: isLiked ?? false,
  };
}

function likeComment(call: NetworkCall): SandboxAnswer {
  markComment(call.world, requireComment(call), { isLiked: call.request.method === 'POST' });

  return jsonAnswer(200, { success: true });
}

/** `POST /{id}`: hides a comment, or shows it again. */
function hideComment(call: NetworkCall): SandboxAnswer {
  const comment = requireComment(call);
  const isHidden = textOf(parametersOf(call.request), 'is_hidden');

  if (isHidden !== 'true' && isHidden !== 'false') {
    return rejectParameter('Param is_hidden must be a boolean');
  }

  markComment(call.world, comment, { isHidden: isHidden === 'true' });

  return jsonAnswer(200, { success: true });
}

/** Requires a comment on a post of the token's page. */
function requireComment(call: NetworkCall): SandboxComment {
  const [commentId = ''] = call.parts;
  const grant = requireGrant(call, 'pages_manage_engagement');
  requireProof(call, grant);
  const comment = call.world.comments.get(commentId);

  if (comment === undefined || comment.userId !== grant.userId) {
    return rejectUnknown(call.request.method, commentId);
  }

  return comment;
}

/** Comments on a post of the page, or replies to a comment on it. */
function answerComment(call: NetworkCall): SandboxAnswer {
  const { world, parts } = call;
  const [targetId = ''] = parts;

  if (world.posts.has(targetId)) {
    return commentOnPost(call, targetId);
  }

  const comment = requireComment(call);
  const text = requireMessage(call);
  const id = `${comment.postId.split('_').at(-1)}_${numericId(15)}`;
  addCommentReply(world, { id, userId: comment.userId, comment, text });

  return jsonAnswer(200, { id });
}

function commentOnPost(call: NetworkCall, postId: string): SandboxAnswer {
  const { world } = call;
  const { grant } = requireOwnPost(call, postId, 'pages_manage_engagement');
  const text = requireMessage(call);
  const id = `${postId.split('_').at(-1)}_${numericId(15)}`;
  addOwnComment(world, { id, userId: grant.userId, postId, text });

  return jsonAnswer(200, { id });
}

function requireMessage({ request }: NetworkCall): string {
  return (
    textOf(parametersOf(request), 'message') ?? rejectParameter('The parameter message is required')
  );
}
