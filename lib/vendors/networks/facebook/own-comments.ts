import { isSameText } from '#lib/platform/characters.ts';
import { readAnswer } from '#lib/vendors/networks/call-network.ts';
import { nextCursorOf, paging, pathOf } from '#lib/vendors/networks/meta/graph-call.ts';
import type { OwnCommentsApi } from '#lib/vendors/networks/network.ts';
import * as z from '#schemas/zod.ts';
import { call, platform } from './call.ts';

const created = z.object({ id: z.string() });

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
  paging,
});
type Comments = z.output<typeof comments>;

/** Comments on a post as the page. */
export const commentOnPost: OwnCommentsApi['commentOnPost'] = async (
  credentials,
  { platformPostId, text },
) => {
  const answer = await call(credentials, {
    method: 'POST',
    path: pathOf(platformPostId, 'comments'),
    form: { message: text },
  });

  return readAnswer(platform, created, answer, 'outcomeUnknown');
};

/** Finds the page's comment among the comments on the post, newest first. */
export const findOwnComment: OwnCommentsApi['findOwnComment'] = async (
  credentials,
  { platformPostId, text },
) => {
  let after: string | undefined;
  for (let page = 0; page < maxPages; page += 1) {
    const answer = await call(credentials, {
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
    after = nextCursorOf(read.paging);
    if (after === undefined) {
      return { state: 'absent' };
    }
  }

  return { state: 'unknown' };
};
