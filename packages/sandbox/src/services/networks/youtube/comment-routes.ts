import * as z from 'zod';
import { jsonAnswer } from '../../../frame/http.ts';
import type { SandboxAnswer } from '../../../frame/service.ts';
import type { NetworkCall, NetworkRoute } from '../network-definition.ts';
import {
  addCommentReply,
  addOwnComment,
  deleteComment,
  markComment,
  type SandboxComment,
} from '../network-world.ts';
import {
  bodyOf,
  newCommentId,
  only,
  pageOf,
  partsOf,
  reject,
  rejectParameter,
  requireGrant,
  scopes,
} from './api.ts';

const readers = [scopes.all, scopes.read];
/** The number of replies that a thread contains. */
const shownReplies = 5;
const maximumLength = 10_000;

const newThread = z.object({
  snippet: z.object({
    channelId: z.string().min(1),
    videoId: z.string().min(1),
    topLevelComment: z.object({ snippet: z.object({ textOriginal: z.string() }) }),
  }),
});

export const commentRoutes: readonly NetworkRoute[] = [
  { method: 'GET', path: /^\/youtube\/v3\/commentThreads$/, answer: listThreads },
  { method: 'POST', path: /^\/youtube\/v3\/commentThreads$/, answer: startThread },
  { method: 'POST', path: /^\/youtube\/v3\/comments$/, answer: reply },
  { method: 'POST', path: /^\/youtube\/v3\/comments\/setModerationStatus$/, answer: moderate },
];

/** Lists threads by their first comment, newest first. */
function listThreads(call: NetworkCall): SandboxAnswer {
  const { world, request } = call;
  requireGrant(call, readers);
  const parts = partsOf(request);
  const { query } = request;
  const videoId = query.get('videoId');
  const channelId =
    videoId === null
      ? (query.get('allThreadsRelatedToChannelId') ??
        rejectParameter('allThreadsRelatedToChannelId'))
      : undefined;
  const all = [...world.comments.values()].filter(
    ({ userId, postId, isHidden }) =>
      !isHidden && (channelId === undefined ? postId === videoId : userId === channelId),
  );
  const threads = all
    .filter(({ parentId }) => parentId === null)
    .reverse()
    .map((top) => describeThread(top, all, parts));

  return pageOf(threads, request);
}

function describeThread(
  top: SandboxComment,
  all: readonly SandboxComment[],
  parts: ReadonlySet<string>,
) {
  const replies = all.filter(({ parentId }) => parentId === top.id);

  return {
    kind: 'youtube#commentThread',
    id: top.id,
    ...only(parts, {
      snippet: {
        channelId: top.userId,
        videoId: top.postId,
        topLevelComment: describeComment(top),
        canReply: true,
        totalReplyCount: replies.length,
        isPublic: true,
      },
      ...(replies.length === 0
        ? {}
        : { replies: { comments: replies.slice(-shownReplies).map(describeComment) } }),
    }),
  };
}

function describeComment({ id, userId, postId, parentId, from, text, at }: SandboxComment) {
  return {
    kind: 'youtube#comment',
    id,
    snippet: {
      channelId: userId,
      videoId: postId,
      textDisplay: text,
      ...(parentId === null ? {} : { parentId }),
      authorDisplayName: from.name,
      authorProfileImageUrl: `https://yt3.ggpht.com/${encodeURIComponent(from.id)}`,
      authorChannelId: { value: from.id },
      likeCount: 0,
      publishedAt: at,
      updatedAt: at,
    },
  };
}

/** Adds a comment of the channel to a video. */
function startThread(call: NetworkCall): SandboxAnswer {
  const { world, request } = call;
  const grant = requireGrant(call, [scopes.all], { units: 50 });
  partsOf(request);
  const parsed = newThread.safeParse(bodyOf(request));

  if (!parsed.success) {
    return reject({
      status: 400,
      reason: 'channelOrVideoIdMissing',
      domain: 'youtube.commentThread',
      message: 'The comment thread must name a channel, a video and a text.',
    });
  }

  const { videoId, topLevelComment } = parsed.data.snippet;
  const { textOriginal: text } = topLevelComment.snippet;
  rejectText(text);

  if (!world.posts.has(videoId)) {
    return reject({
      status: 404,
      reason: 'videoNotFound',
      domain: 'youtube.commentThread',
      message: 'The video identified by the videoId could not be found.',
    });
  }

  const id = newCommentId();
  addOwnComment(world, { id, userId: grant.userId, postId: videoId, text });

  return jsonAnswer(200, { kind: 'youtube#commentThread', id, snippet: { videoId } });
}

function rejectText(text: string): void {
  if (text === '' || text.length > maximumLength) {
    reject({
      status: 400,
      reason: text === '' ? 'commentTextRequired' : 'commentTextTooLong',
      domain: 'youtube.comment',
      message: 'The text of the comment is missing or too long.',
    });
  }
}

/** Moderates a comment. A rejected comment is deleted: it cannot be published again. */
function moderate(call: NetworkCall): SandboxAnswer {
  const { world, request } = call;
  const grant = requireGrant(call, [scopes.all], { units: 50 });
  const status = request.query.get('moderationStatus') ?? rejectParameter('moderationStatus');
  const comment = world.comments.get(request.query.get('id') ?? rejectParameter('id'));

  if (!['heldForReview', 'published', 'rejected'].includes(status)) {
    rejectParameter('moderationStatus');
  }

  if (comment === undefined) {
    return reject({
      status: 404,
      reason: 'commentNotFound',
      domain: 'youtube.comment',
      message: 'One or more of the comments cannot be found.',
    });
  }

  if (comment.userId !== grant.userId) {
    reject({
      status: 403,
      reason: 'forbidden',
      domain: 'youtube.comment',
      message: 'The comment cannot be moderated due to insufficient permissions.',
    });
  }

  if (status === 'rejected') {
    deleteComment(world, comment);
  } else {
    markComment(world, comment, { isHidden: status === 'heldForReview' });
  }

  return { status: 204, body: '' };
}

function reply(call: NetworkCall): SandboxAnswer {
  const { world, request } = call;
  const grant = requireGrant(call, [scopes.all], { units: 50 });
  partsOf(request);
  const { snippet } = bodyOf(request) as {
    readonly snippet?: { readonly parentId?: string; readonly textOriginal?: string };
  };
  const { parentId = '', textOriginal: text = '' } = snippet ?? {};
  const parent = world.comments.get(parentId);

  rejectText(text);

  if (parent === undefined || parent.parentId !== null) {
    return reject({
      status: 404,
      reason: 'parentCommentNotFound',
      domain: 'youtube.comment',
      message: 'The specified parent comment could not be found.',
    });
  }

  const id = `${parentId}.${newCommentId()}`;
  addCommentReply(world, { id, userId: grant.userId, comment: parent, text });

  return jsonAnswer(200, {
    kind: 'youtube#comment',
    id,
    snippet: { textDisplay: text, textOriginal: text, parentId },
  });
}
