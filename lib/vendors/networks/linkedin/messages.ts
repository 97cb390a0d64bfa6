import { unsupported } from '#lib/vendors/networks/capabilities.ts';
import type { CommentReply, Credentials, Sent } from '#lib/vendors/networks/network.ts';
import { NetworkError } from '#lib/vendors/networks/network-error.ts';
import * as z from '#schemas/zod.ts';
import { call, organizationUrn, platform, restli } from './call.ts';
import { partsOfComment } from './comment-urn.ts';

export const sendDirectMessage = unsupported(platform, 'directMessage');
export const privateReply = unsupported(platform, 'privateReply');

/** Unverified: the name of the field with the comment's URN. See docs/operations.md. */
const createdComment = z.object({ commentUrn: z.string().optional(), $URN: z.string().optional() });

/** Replies to a comment in public, or comments on a post, as the organization. */
export async function replyToComment(credentials: Credentials, reply: CommentReply): Promise<Sent> {
  const { thread } = partsOfComment(reply.commentId);
  const isComment = thread !== reply.commentId;
  const answer = await call(credentials, {
    method: 'POST',
    path: `/rest/socialActions/${restli(reply.commentId)}/comments`,
    json: {
      actor: organizationUrn(credentials.platformUserId),
      object: thread,
      message: { text: reply.text },
      ...(isComment ? { parentComment: reply.commentId } : {}),
    },
  });
  const body = createdComment.safeParse(answer.json).data;
  const id = answer.headers.get('x-restli-id');
  const urn = body?.commentUrn ?? body?.$URN ?? (id && fullUrn(thread, id));
  if (!urn) {
    throw new NetworkError(platform, 'outcomeUnknown', {
      message: 'LinkedIn accepted the comment but did not return its id',
    });
  }

  return { id: urn };
}

/** Returns the URN that the comment's event will contain, so the service recognizes its own. */
export function fullUrn(thread: string, id: string): string {
  return id.startsWith('urn:li:') ? id : `urn:li:comment:(${thread},${id})`;
}
