import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { jsonAnswer, parseJson } from '../../../frame/http.ts';
import type { SandboxAnswer } from '../../../frame/service.ts';
import {
  type NetworkCall,
  NetworkRejectionError,
  type NetworkRoute,
} from '../network-definition.ts';
import {
  addCommentReply,
  addSentMessage,
  isoNow,
  lastMessageFrom,
  numericId,
  type SandboxComment,
} from '../network-world.ts';
import { bodyOf } from './api.ts';

const windowMs = 48 * 60 * 60 * 1_000;
const maximumReply = 150;

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
const commentReply = z.object({
  business_id: z.string(),
  video_id: z.string(),
  comment_id: z.string(),
  text: z.string().min(1).max(maximumReply),
});

/** The Business API: messages, comments and the app's webhooks. */
export const commentRoutes: readonly NetworkRoute[] = [
  { method: 'POST', path: businessPath('webhook/update'), answer: setWebhook },
  { method: 'POST', path: businessPath('message/send'), answer: sendMessage },
  { method: 'GET', path: businessPath('comment/list'), answer: listComments },
  { method: 'POST', path: businessPath('comment/reply/create'), answer: answerComment },
];

function businessPath(name: string): RegExp {
  return new RegExp(`^/open_api/v1\\.3/business/${name}/$`);
}

function businessAnswer(data: object): SandboxAnswer {
  return jsonAnswer(200, { code: 0, message: 'OK', request_id: randomUUID(), data });
}

/** Throws an error of the Business API, which has status 200. */
function reject(code: number, text: string): never {
  throw new NetworkRejectionError(
    jsonAnswer(200, { code, message: text, request_id: randomUUID(), data: {} }),
  );
}

/** Requires a token of the account that the call names. */
function requireBusiness({ world, request }: NetworkCall, businessId: string): string {
  const { state, grant } = world.tokens.check(request.headers['access-token'] ?? '');

  if (state !== 'valid' || grant === undefined) {
    return reject(40_105, 'Access token is incorrect or has been revoked.');
  }

  if (grant.userId !== businessId) {
    reject(40_001, `No permission to operate business account ${businessId}.`);
  }

  return grant.userId;
}

function parsed<T>(schema: z.ZodType<T>, call: NetworkCall): T {
  const { data, error } = schema.safeParse(bodyOf(call.request));

  return data ?? reject(40_002, `${error?.issues[0]?.path.join('.') || 'body'}: invalid value`);
}

/** Sets the app's callback URL, for all accounts. */
function setWebhook(call: NetworkCall): SandboxAnswer {
  const { world } = call;
  const { app_id: appId, secret, event_type: type, callback_url: url } = parsed(webhook, call);

  if (appId !== world.app.clientId || secret !== world.app.clientSecret) {
    reject(40_104, 'The app_id or the secret is incorrect.');
  }

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
  const body = parsed(message, call);
  const userId = requireBusiness(call, body.business_id);
  const last = lastMessageFrom(world, userId, body.recipient);
  const customer = [...world.messages.values()].findLast(
    (one) => one.userId === userId && one.customer.id === body.recipient,
  )?.customer;

  if (customer === undefined) {
    reject(40_002, 'recipient: the conversation does not exist');
  }

  if (last === undefined || world.clock().getTime() - last.getTime() > windowMs) {
    reject(40_002, 'The message is sent outside of the 48-hour messaging window.');
  }

  const id = `${randomUUID()}==`;
  addSentMessage(world, { id, userId, customer, text: body.text.body, tag: null });

  return businessAnswer({ message: { message_id: id } });
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
    unique_identifier: comment.from.id,
    username: comment.from.name,
    display_name: comment.from.name,
    text: comment.text,
    create_time: String(Math.floor(Date.parse(comment.at) / 1_000)),
    owner: comment.from.id === userId,
    status: 'PUBLIC',
  };
}

function answerComment(call: NetworkCall): SandboxAnswer {
  const { world } = call;
  const body = parsed(commentReply, call);
  const userId = requireBusiness(call, body.business_id);
  const comment = world.comments.get(body.comment_id);

  if (comment?.userId !== userId || comment.postId !== body.video_id) {
    return reject(40_002, 'comment_id: the comment does not exist under this video');
  }

  const id = numericId(19);
  addCommentReply(world, { id, userId, comment, text: body.text });

  return businessAnswer({ comment_id: id, video_id: body.video_id, text: body.text });
}
