import { isSameText } from '#lib/platform/characters.ts';
import { readAnswer } from '#lib/vendors/networks/call-network.ts';
import type { OwnCommentsApi } from '#lib/vendors/networks/network.ts';
import { NetworkError } from '#lib/vendors/networks/network-error.ts';
import * as z from '#schemas/zod.ts';
import { call, organizationUrn, platform, restli } from './call.ts';
import { partsOfComment } from './comment-urn.ts';

const pageSize = 100;
const maxPages = 5;

const comments = z.object({
  elements: z.array(
    z.object({
      id: z.union([z.string(), z.number()]).transform(String),
      commentUrn: z.string().optional(),
      $URN: z.string().optional(),
      actor: z.string().optional(),
      message: z.object({ text: z.string().default('') }).optional(),
    }),
  ),
});

/** Unverified: the name of the field with the comment's URN. See docs/operations.md. */
const createdComment = z.object({ commentUrn: z.string().optional(), $URN: z.string().optional() });

/** Comments on a post, or on a comment if the id is a comment's, as the organization. */
export const commentOnPost: OwnCommentsApi['commentOnPost'] = async (
  credentials,
  { platformPostId, text },
) => {
  const { thread } = partsOfComment(platformPostId);
  const isComment = thread !== platformPostId;
  const answer = await call(credentials, {
    method: 'POST',
    path: `/rest/socialActions/${restli(platformPostId)}/comments`,
    json: {
      actor: organizationUrn(credentials.platformUserId),
      object: thread,
      message: { text },
      ...(isComment ? { parentComment: platformPostId } : {}),
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
};

/** Finds the organization's comment among the comments on the post. */
export const findOwnComment: OwnCommentsApi['findOwnComment'] = async (
  credentials,
  { platformPostId, text },
) => {
  for (let page = 0; page < maxPages; page += 1) {
    const answer = await call(credentials, {
      path: `/rest/socialActions/${restli(platformPostId)}/comments`,
      query: { start: page * pageSize, count: pageSize },
    });
    const { elements } = readAnswer(platform, comments, answer);
    const found = elements.find(
      ({ actor, message }) =>
        actor === organizationUrn(credentials.platformUserId) &&
        isSameText(message?.text ?? '', text),
    );
    if (found) {
      const { id, commentUrn, $URN: urn } = found;

      return { state: 'found', id: commentUrn ?? urn ?? fullUrn(platformPostId, id) };
    }
    if (elements.length < pageSize) {
      return { state: 'absent' };
    }
  }

  return { state: 'unknown' };
};

/** Returns the URN that the comment's event will contain, so the service recognizes its own. */
function fullUrn(thread: string, id: string): string {
  return id.startsWith('urn:li:') ? id : `urn:li:comment:(${thread},${id})`;
}
