import { pathOf } from '#lib/vendors/networks/meta/path-of.ts';
import type { Credentials, FoundComment, OwnComment, Sent } from '#lib/vendors/networks/network.ts';
import { readAnswer } from '#lib/vendors/networks/read-answer.ts';
import { isSameText } from '#lib/vendors/networks/same-text.ts';
import * as z from '#schemas/zod.ts';
import { call, platform } from './call.ts';
import { replyToComment } from './messages.ts';

const pageSize = 100;
const maxPages = 5;

const comments = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      message: z.string().default(''),
      from: z.object({ id: z.string() }).optional(),
    }),
  ),
  paging: z
    .object({
      cursors: z.object({ after: z.string().optional() }).optional(),
      next: z.string().optional(),
    })
    .optional(),
});
type Comments = z.output<typeof comments>;

/** Comments on a post as the page. Posts and comments have the same edge for it. */
export function commentOnPost(
  credentials: Credentials,
  { platformPostId, text }: OwnComment,
): Promise<Sent> {
  return replyToComment(credentials, { commentId: platformPostId, text });
}

/** Finds the page's comment among the comments on the post, newest first. */
export async function findOwnComment(
  credentials: Credentials,
  { platformPostId, text }: OwnComment,
): Promise<FoundComment> {
  let after: string | undefined;
  for (let page = 0; page < maxPages; page += 1) {
    const answer = await call(credentials, {
      method: 'GET',
      path: pathOf(platformPostId, 'comments'),
      query: {
        fields: 'id,message,from',
        filter: 'toplevel',
        order: 'reverse_chronological',
        limit: pageSize,
        after,
      },
    });
    const read: Comments = readAnswer(platform, comments, answer);
    const found = read.data.find(
      ({ from, message }) => from?.id === credentials.platformUserId && isSameText(message, text),
    );
    if (found) {
      return { state: 'found', id: found.id };
    }
    after = read.paging?.next === undefined ? undefined : read.paging.cursors?.after;
    if (after === undefined) {
      return { state: 'absent' };
    }
  }

  return { state: 'unknown' };
}
