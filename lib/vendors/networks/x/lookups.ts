import type { LookupsApi } from '#lib/vendors/networks/network.ts';
import * as z from '#schemas/zod.ts';
import { call } from './call.ts';
import { postEvent } from './post-events.ts';
import { readTimelineSince } from './timeline.ts';

const profile = z.object({
  data: z.object({
    name: z.string(),
    username: z.string(),
    profile_image_url: z.string().optional(),
  }),
});

/** Returns the profile of a user. */
export const fetchProfile: Required<LookupsApi>['fetchProfile'] = async (
  { accessToken },
  customerId,
) => {
  const { data } = await call({
    path: `/2/users/${encodeURIComponent(customerId)}`,
    token: accessToken,
    query: { 'user.fields': 'profile_image_url,username' },
    answer: profile,
  });
  const { name, username, profile_image_url: avatarUrl } = data;

  return { name, username, ...(avatarUrl ? { avatarUrl } : {}) };
};

/** Returns the posts that mention the account, oldest first. */
export const fetchComments: LookupsApi['fetchComments'] = async (credentials, since) => {
  const { pages } = await readTimelineSince(credentials, 'mentions', since);

  return pages
    .flatMap(({ data, includes }) =>
      data.flatMap((post) => postEvent(credentials.platformUserId, post, includes) ?? []),
    )
    .reverse();
};
