import type { Credentials, Sent } from '#lib/vendors/networks/network.ts';
import { NetworkError } from '#lib/vendors/networks/network-error.ts';
import * as z from '#schemas/zod.ts';
import { callLinkedIn, organizationUrn, restli } from './call.ts';

const commentUrn = /^urn:li:comment:\((.+),([^,()]+)\)$/;
/** The names of the comment's URN in the body are from memory: to be checked before going live. */
const createdComment = z.object({ commentUrn: z.string().optional(), $URN: z.string().optional() });

/** Answers a comment in public, or comments on a post, as the organization. */
export async function replyToComment(
  credentials: Credentials,
  reply: { readonly commentId: string; readonly text: string },
): Promise<Sent> {
  const thread = threadOf(reply.commentId);
  const isComment = thread !== reply.commentId;
  const answer = await callLinkedIn(credentials, {
    method: 'POST',
    path: `/rest/socialActions/${restli(reply.commentId)}/comments`,
    json: {
      actor: organizationUrn(credentials.platformUserId),
      object: thread,
      message: { text: reply.text },
      ...(isComment ? { parentComment: reply.commentId } : {}),
    },
  });
  const named = createdComment.safeParse(answer.json).data;
  const id = answer.headers.get('x-restli-id');
  const urn = named?.commentUrn ?? named?.$URN ?? (id && inFull(thread, id));
  if (!urn) {
    throw new NetworkError('LINKEDIN', 'outcomeUnknown', {
      message: 'LinkedIn accepted the comment but did not return its id',
    });
  }

  return { id: urn };
}

/** What a comment stands under; anything else is such a thing itself. */
function threadOf(id: string): string {
  const thread = commentUrn.exec(id)?.[1];
  if (thread === undefined) {
    return id;
  }

  return thread.startsWith('urn:li:') ? thread : `urn:li:${thread}`;
}

/** The form in which the event of this comment will name it, so that it is known as our own. */
function inFull(thread: string, id: string): string {
  return id.startsWith('urn:li:') ? id : `urn:li:comment:(${thread},${id})`;
}
