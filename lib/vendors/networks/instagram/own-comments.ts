import { isSameText } from '#lib/platform/characters.ts';
import { readAnswer } from '#lib/vendors/networks/call-network.ts';
import { pathOf } from '#lib/vendors/networks/meta/graph-call.ts';
import type { OwnCommentsApi } from '#lib/vendors/networks/network.ts';
import * as z from '#schemas/zod.ts';
import { call, platform } from './call.ts';

const pageSize = 50;
const maxPages = 5;

const created = z.object({ id: z.string() });
const medium = z.object({ username: z.string().optional() });
const comments = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      text: z.string().default(''),
      from: z.object({ id: z.string(), username: z.string().optional() }).optional(),
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

/** Comments on a media file as the account. */
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

/**
 * Finds the account's comment among the comments on the media file. The author's id can differ from
 * the account's id, so the account is also recognized by the user name of the media's owner.
 */
export const findOwnComment: OwnCommentsApi['findOwnComment'] = async (
  credentials,
  { platformPostId, text },
) => {
  const owner = await call(credentials, {
    path: pathOf(platformPostId),
    query: { fields: 'username' },
  });
  const { username } = readAnswer(platform, medium, owner);
  let after: string | undefined;
  for (let page = 0; page < maxPages; page += 1) {
    const answer = await call(credentials, {
      path: pathOf(platformPostId, 'comments'),
      query: { fields: 'id,text,from', limit: pageSize, after },
    });
    const read: Comments = readAnswer(platform, comments, answer);
    const found = read.data.find(
      ({ from, text: written }) =>
        from !== undefined &&
        (from.id === credentials.platformUserId ||
          (username !== undefined && from.username === username)) &&
        isSameText(written, text),
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
};
