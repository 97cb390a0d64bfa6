import { isSameText } from '#lib/platform/characters.ts';
import { readAnswer } from '#lib/vendors/networks/call-network.ts';
import type { OwnCommentsApi } from '#lib/vendors/networks/network.ts';
import * as z from '#schemas/zod.ts';
import { call, platform } from './call.ts';

const pageSize = 100;
/** Each page costs a unit of the daily quota. */
const maxPages = 5;

const thread = z.object({
  snippet: z.object({
    topLevelComment: z.object({
      id: z.string(),
      snippet: z.object({
        textDisplay: z.string().default(''),
        textOriginal: z.string().optional(),
        authorChannelId: z.object({ value: z.string() }).optional(),
      }),
    }),
  }),
});
const threads = z.object({
  items: z.array(thread).default([]),
  nextPageToken: z.string().optional(),
});

/** Comments on a video as the channel. Costs 50 units of the daily quota. */
export const commentOnPost: OwnCommentsApi['commentOnPost'] = async (
  credentials,
  { platformPostId: videoId, text },
) => {
  const answer = await call(credentials, {
    method: 'POST',
    path: '/commentThreads',
    query: { part: 'snippet' },
    json: {
      snippet: {
        channelId: credentials.platformUserId,
        videoId,
        topLevelComment: { snippet: { textOriginal: text } },
      },
    },
  });

  return readAnswer(platform, z.object({ id: z.string().min(1) }), answer, 'outcomeUnknown');
};

/** Finds the channel's comment among the threads of the video, newest first. */
export const findOwnComment: OwnCommentsApi['findOwnComment'] = async (
  credentials,
  { platformPostId: videoId, text },
) => {
  let pageToken: string | undefined;
  for (let page = 0; page < maxPages; page += 1) {
    const answer = await call(credentials, {
      path: '/commentThreads',
      query: {
        part: 'snippet',
        videoId,
        order: 'time',
        maxResults: pageSize,
        textFormat: 'plainText',
        pageToken,
      },
    });
    const { items, nextPageToken } = readAnswer(platform, threads, answer);
    const found = items
      .map(({ snippet }) => snippet.topLevelComment)
      .find(
        ({ snippet }) =>
          snippet.authorChannelId?.value === credentials.platformUserId &&
          isSameText(snippet.textOriginal ?? snippet.textDisplay, text),
      );
    if (found) {
      return { state: 'found', id: found.id };
    }
    pageToken = nextPageToken;
    if (pageToken === undefined) {
      return { state: 'absent' };
    }
  }

  return { state: 'unknown' };
};
