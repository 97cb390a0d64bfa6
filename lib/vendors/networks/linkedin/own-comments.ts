import type { Credentials, FoundComment, OwnComment, Sent } from '#lib/vendors/networks/network.ts';
import { readAnswer } from '#lib/vendors/networks/read-answer.ts';
import { isSameText } from '#lib/vendors/networks/same-text.ts';
import * as z from '#schemas/zod.ts';
import { call, organizationUrn, platform, restli } from './call.ts';
import { fullUrn, replyToComment } from './messages.ts';

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

/** Comments on a post as the organization. */
export function commentOnPost(
  credentials: Credentials,
  { platformPostId, text }: OwnComment,
): Promise<Sent> {
  return replyToComment(credentials, { commentId: platformPostId, text });
}

/** Finds the organization's comment among the comments on the post. */
export async function findOwnComment(
  credentials: Credentials,
  { platformPostId, text }: OwnComment,
): Promise<FoundComment> {
  for (let page = 0; page < maxPages; page += 1) {
    const answer = await call(credentials, {
      method: 'GET',
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
}
