import type { Credentials } from '#lib/vendors/networks/network.ts';
import * as z from '#schemas/zod.ts';
import { call } from './call.ts';

const userInfo = z.object({
  data: z.object({
    id: z.string(),
    name: z.string(),
    username: z.string(),
    public_metrics: z
      .object({
        followers_count: z.number().optional(),
        post_count: z.number().optional(),
        /** The name before `post_count`. */
        tweet_count: z.number().optional(),
      })
      .optional(),
  }),
});

export type User = z.output<typeof userInfo>['data'];

export async function readUser({ accessToken }: Credentials): Promise<User> {
  const { data } = await call({
    method: 'GET',
    path: '/2/users/me',
    token: accessToken,
    query: { 'user.fields': 'public_metrics,username' },
    answer: userInfo,
  });

  return data;
}
