import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { parseJson } from '../../../frame/http.ts';
import type { SandboxAnswer } from '../../../frame/service.ts';
import type { NetworkCall, NetworkRoute } from '../network-definition.ts';
import {
  addCommentReply,
  addSentMessage,
  deleteComment,
  isoNow,
  lastMessageFrom,
  markComment,
  numericId,
  postsOf,
  type SandboxComment,
} from '../network-world.ts';
import {
  businessAnswer,
  businessIdOf,
  businessPath,
  parseBusiness,
  rejectBusiness,
  requireBusiness,
  requireBusinessApp,
} from './business-api.ts';

const windowMs = 48 * 60 * 60 * 1_000;
const maximumReply = 1_200;
const defaultVideos = 20;

const webhook = z.object({
  app_id: z.string(),
  secret: z.string(),
  event_type: z.enum(['DIRECT_MESSAGE', 'COMMENT']),
  callback_url: z.url(),
});
const message = z.object({
  business_id: z.string(),
  recipient_type: z.literal('CONVERSATION'),
  recipient: z.string(),
  message_type: z.literal('TEXT'),
  text: z.object({ body: z.string().min(1).max(6_000) }),
});
const fileRequest = z.object({
  business_id: z.string(),
  conversation_id: z.string(),
  message_id: z.string(),
  media_id: z.string(),
  media_type: z.enum(['IMAGE', 'VIDEO']),
});
const commentReply = z.object({
  business_id: z.string(),
  video_id: z.string(),
  comment_id: z.string(),
  text: z.string().min(1).max(maximumReply),
});

const commentHide = z.object({
  business_id: z.string(),
  video_id: z.string(),
  comment_id: z.string(),
  action: z.enum(['HIDE', 'UNHIDE']),
});
const commentLike = z.object({
  business_id: z.string(),
  comment_id: z.string(),
  action: z.enum(['LIKE', 'UNLIKE']),
});
const commentDelete = z.object({ business_id: z.string(), comment_id: z.string() });

/** The Business API: messages, comments and the app's webhooks. */
export const commentRoutes: readonly NetworkRoute[] = [
  { method: 'POST', path: businessPath('business/webhook/update'), answer: setWebhook },
  { method: 'POST', path: businessPath('business/message/send'), answer: sendMessage },
  { method: 'POST', path: businessPath('business/message/media/download'), answer: locateFile },
  { method: 'GET', path: businessPath('business/video/list'), answer: listVideos },
  { method: 'GET', path: businessPath('business/comment/list'), answer: listComments },
  { method: 'POST', path: businessPath('business/comment/reply/create'), answer: answerComment },
  { method: 'POST', path: businessPath('business/comment/hide'), answer: hideComment },
  { method: 'POST', path: businessPath('business/comment/like'), answer: likeComment },
  { method: 'POST', path: businessPath('business/comment/delete'), answer: removeComment },
];

/** Sets the app's callback URL, for all accounts. */
function setWebhook(call: NetworkCall): SandboxAnswer {
  const { world } = call;
  const {
    app_id: appId,
    secret,
    event_type: type,
    callback_url: url,
  } = parseBusiness(webhook, call);
  requireBusinessApp(world, appId, secret);

  world.subscriptions.set(type, {
    userId: appId,
    fields: [type],
    callbackUrl: url,
    at: isoNow(world),
  });

  return businessAnswer({ app_id: appId, event_type: type, callback_url: url });
}

/** Sends a message to an existing conversation, within 48 hours of the customer's last message. */
function sendMessage(call: NetworkCall): SandboxAnswer {
  const { world } = call;
  const body = parseBusiness(message, call);
  const userId = requireBusiness(call, body.business_id);
  const last = lastMessageFrom(world, userId, body.recipient);
  const customer = [...world.messages.values()].findLast(
    (one) => one.userId === userId && one.customer.id === body.recipient,
  )?.customer;

  if (customer === undefined) {
    rejectBusiness(40_002, 'recipient: the conversation does not exist');
  }

  if (last === undefined || world.clock().getTime() - last.getTime() > windowMs) {
    rejectBusiness(40_002, 'The message is sent outside of the 48-hour messaging window.');
  }

  const id = `${randomUUID()}==`;
  addSentMessage(world, { id, userId, customer, text: body.text.body, tag: null });

  return businessAnswer({ message: { message_id: id } });
}

/** Returns where a file of a customer's message can be downloaded. */
function locateFile(call: NetworkCall): SandboxAnswer {
  const { world } = call;
  const body = parseBusiness(fileRequest, call);
  requireBusiness(call, body.business_id);
  const file = world.files.get(body.media_id);
  const message = world.messages.get(body.message_id);

  if (file === undefined || message?.customer.id !== body.conversation_id) {
    rejectBusiness(40_002, 'media_id: the media does not exist');
  }

  return businessAnswer({ download_url: file.url });
}

/** Returns the account's videos, newest first. */
function listVideos(call: NetworkCall): SandboxAnswer {
  const { query } = call.request;
  const userId = requireBusiness(call, query.get('business_id') ?? '');
  const posts = postsOf(call.world, userId);
  const count = Number(query.get('max_count') ?? defaultVideos);

  return businessAnswer({
    videos: posts.slice(0, count).map(({ id }) => ({ item_id: id })),
    has_more: posts.length > count,
    cursor: 0,
  });
}

function listComments(call: NetworkCall): SandboxAnswer {
  const { query } = call.request;
  const userId = requireBusiness(call, query.get('business_id') ?? '');
  const videoId = query.get('video_id');
  const ids = z.array(z.string()).safeParse(parseJson(query.get('comment_ids') ?? 'null')).data;
  const comments = [...call.world.comments.values()]
    .filter((one) => one.userId === userId && one.postId === videoId)
    .filter((one) => ids === undefined || ids.includes(one.id))
    .reverse()
    .slice(0, Number(query.get('max_count') ?? 20));

  return businessAnswer({
    comments: comments.map((one) => describe(one, userId)),
    has_more: false,
    cursor: 0,
  });
}

function describe(comment: SandboxComment, userId: string) {
  return {
    comment_id: comment.id,
    video_id: comment.postId,
    ...(comment.parentId === null ? {} : { parent_comment_id: comment.parentId }),
    unique_identifier: comment.from.id === userId ? businessIdOf(userId) : comment.from.id,
    username: comment.from.name,
    display_name: comment.from.name,
    text: comment.text,
    create_time: String(Math.floor(Date.parse(comment.at) / 1_000)),
    owner: comment.from.id === userId,
    status: 'PUBLIC',
  };
}

/** Requires a comment on a video of the account, and the permission to manage comments. */
function requireComment(
  call: NetworkCall,
  body: {
    readonly business_id: string;
    readonly comment_id: string;
    readonly video_id?: string;
  },
): SandboxComment {
  const userId = requireBusiness(call, body.business_id, 'comment.list.manage');
  const comment = call.world.comments.get(body.comment_id);
  const isInVideo = body.video_id === undefined || comment?.postId === body.video_id;

  if (comment?.userId !== userId || !isInVideo) {
    return rejectBusiness(40_002, 'comment_id: the comment does not exist under this video');
  }

  return comment;
}

function hideComment(call: NetworkCall): SandboxAnswer {
  const body = parseBusiness(commentHide, call);
  markComment(call.world, requireComment(call, body), { isHidden: body.action === 'HIDE' });

  return businessAnswer({});
}

function likeComment(call: NetworkCall): SandboxAnswer {
  const body = parseBusiness(commentLike, call);
  markComment(call.world, requireComment(call, body), { isLiked: body.action === 'LIKE' });

  return businessAnswer({});
}

function removeComment(call: NetworkCall): SandboxAnswer {
  const body = parseBusiness(commentDelete, call);
  deleteComment(call.world, requireComment(call, body));

  return businessAnswer({});
}

function answerComment(call: NetworkCall): SandboxAnswer {
  const { world } = call;
  const body = parseBusiness(commentReply, call);
  const comment = requireComment(call, body);
  const id = numericId(19);
  addCommentReply(world, { id, userId: comment.userId, comment, text: body.text });

  return businessAnswer({ comment_id: id, video_id: body.video_id, text: body.text });
}
