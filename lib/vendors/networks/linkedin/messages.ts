import { now } from '#lib/platform/clock.ts';
import type {
  CommentReply,
  Credentials,
  NormalisedEvent,
  Sent,
} from '#lib/vendors/networks/network.ts';
import { NetworkError } from '#lib/vendors/networks/network-error.ts';
import { readAnswer } from '#lib/vendors/networks/read-answer.ts';
import * as z from '#schemas/zod.ts';
import { call, organizationUrn, platform, restli, restliList } from './call.ts';
import { partsOfComment } from './comment-urn.ts';
import { toEvents } from './events.ts';

const pageSize = 100;
/** Limits the calls of one fetch. The next fetch continues from there. */
const maxPages = 10;
const notificationPage = z.object({ elements: z.array(z.unknown()) });

/** Unverified: the names of the comment's URN in the body. See docs/operations.md. */
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

/** Fetches the same notifications that LinkedIn pushes, in case a delivery was lost. */
export async function fetchComments(
  credentials: Credentials,
  since: string,
  beforeCall?: () => Promise<void>,
): Promise<readonly NormalisedEvent[]> {
  const events: NormalisedEvent[] = [];
  for (let page = 0; page < maxPages; page += 1) {
    await beforeCall?.();
    const answer = await call(credentials, {
      method: 'GET',
      path: '/rest/organizationalEntityNotifications',
      query: {
        q: 'criteria',
        actions: restliList(['COMMENT', 'ADMIN_COMMENT', 'SHARE_MENTION']),
        organizationalEntity: restli(organizationUrn(credentials.platformUserId)),
        // Unverified: the format of the range. See docs/operations.md.
        timeRange: `(start:${Date.parse(since)},end:${now()})`,
        start: page * pageSize,
        count: pageSize,
      },
    });
    const { elements } = readAnswer(platform, notificationPage, answer);
    events.push(...elements.flatMap(toEvents));
    if (elements.length < pageSize) {
      break;
    }
  }

  return events
    .filter(({ occurredAt }) => Date.parse(occurredAt) >= Date.parse(since))
    .sort((one, other) => one.occurredAt.localeCompare(other.occurredAt));
}
