import { readAnswer } from '#lib/vendors/networks/call-network.ts';
import type { Credentials } from '#lib/vendors/networks/network.ts';
import { NetworkError } from '#lib/vendors/networks/network-error.ts';
import * as z from '#schemas/zod.ts';
import { call, platform } from './call.ts';

/** The API's limit. */
export const idsPerCall = 50;

/** Counts are strings. A hidden count is missing. */
const count = z.coerce.number().optional();
const channelList = z.object({
  items: z
    .array(
      z.object({
        id: z.string(),
        snippet: z
          .object({
            title: z.string().optional(),
            thumbnails: z
              .object({ default: z.object({ url: z.string().optional() }).optional() })
              .optional(),
          })
          .optional(),
        statistics: z
          .object({
            subscriberCount: count,
            hiddenSubscriberCount: z.boolean().optional(),
            videoCount: count,
          })
          .optional(),
        contentDetails: z
          .object({ relatedPlaylists: z.object({ uploads: z.string().optional() }).optional() })
          .optional(),
      }),
    )
    .default([]),
});

export type Channel = z.output<typeof channelList>['items'][number];

/** Returns the channels of the token's user. */
export async function listChannels(
  credentials: Pick<Credentials, 'accessToken'>,
  part = 'id',
): Promise<readonly Channel[]> {
  const answer = await call(credentials, {
    path: '/channels',
    query: { part, mine: 'true', maxResults: idsPerCall },
  });

  return readAnswer(platform, channelList, answer).items;
}

export async function requireChannel(credentials: Credentials, part: string): Promise<Channel> {
  const answer = await call(credentials, {
    path: '/channels',
    query: { part, id: credentials.platformUserId },
  });
  const [channel] = readAnswer(platform, channelList, answer).items;
  if (!channel) {
    throw new NetworkError(platform, 'notFound', { message: 'YouTube has no such channel' });
  }

  return channel;
}

export function subscribersOf({ statistics }: Channel): number | null {
  return statistics?.hiddenSubscriberCount ? null : (statistics?.subscriberCount ?? null);
}
