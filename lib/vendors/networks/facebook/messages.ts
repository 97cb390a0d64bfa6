import { attachmentOf } from '#lib/vendors/networks/meta/attachment-of.ts';
import { contentOf } from '#lib/vendors/networks/meta/content-of.ts';
import { mediaTimeoutMs } from '#lib/vendors/networks/meta/media-timeout.ts';
import { pathOf } from '#lib/vendors/networks/meta/path-of.ts';
import type {
  CommentReply,
  Credentials,
  CustomerProfile,
  DirectMessage,
  FileMessage,
  NormalisedEvent,
  PrivateReply,
  Sent,
} from '#lib/vendors/networks/network.ts';
import { readAnswer } from '#lib/vendors/networks/read-answer.ts';
import * as z from '#schemas/zod.ts';
import { call, platform } from './call.ts';

const sentMessage = z.object({ message_id: z.string() });
const created = z.object({ id: z.string() });
const profile = z.object({
  name: z.string().default(''),
  profile_pic: z.string().optional(),
});

export function sendDirectMessage(
  credentials: Credentials,
  { to, echoTag, ...content }: DirectMessage,
): Promise<Sent> {
  return send(credentials, { id: to }, { ...contentOf(content), metadata: echoTag });
}

export function sendFile(
  credentials: Credentials,
  { to, echoTag, ...file }: FileMessage,
): Promise<Sent> {
  const message = { attachment: attachmentOf(file), metadata: echoTag };

  return send(credentials, { id: to }, message, mediaTimeoutMs());
}

export async function replyToComment(
  credentials: Credentials,
  { commentId, text }: CommentReply,
): Promise<Sent> {
  const answer = await call(credentials, {
    method: 'POST',
    path: pathOf(commentId, 'comments'),
    form: { message: text },
  });

  return readAnswer(platform, created, answer, 'outcomeUnknown');
}

/** Replies to a comment with a direct message. */
export function privateReply(
  credentials: Credentials,
  { commentId, echoTag, ...content }: PrivateReply,
): Promise<Sent> {
  return send(credentials, { comment_id: commentId }, { ...contentOf(content), metadata: echoTag });
}

/** Returns nothing: Facebook pushes comments. */
export async function fetchComments(): Promise<readonly NormalisedEvent[]> {
  return [];
}

/** Returns the profile of a person who wrote to the account. */
export async function fetchProfile(
  credentials: Credentials,
  customerId: string,
): Promise<CustomerProfile> {
  const answer = await call(credentials, {
    method: 'GET',
    path: pathOf(customerId),
    query: { fields: 'name,profile_pic' },
  });
  const { name, profile_pic: avatarUrl } = readAnswer(platform, profile, answer);

  return { name, ...(avatarUrl ? { avatarUrl } : {}) };
}

async function send(
  credentials: Credentials,
  recipient: { readonly id: string } | { readonly comment_id: string },
  /** The echo of the message returns the metadata, so the service recognizes its own messages. */
  message: { readonly metadata: string; readonly [content: string]: unknown },
  timeoutMs?: number,
): Promise<Sent> {
  const answer = await call(credentials, {
    method: 'POST',
    path: pathOf(credentials.platformUserId, 'messages'),
    json: {
      recipient,
      messaging_type: 'RESPONSE',
      message,
    },
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
  });

  return { id: readAnswer(platform, sentMessage, answer, 'outcomeUnknown').message_id };
}
