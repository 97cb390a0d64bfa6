import type { Credentials } from '#lib/vendors/networks/network.ts';
import * as z from '#schemas/zod.ts';
import { call } from './call.ts';

const userInfo = z.object({
  data: z.object({
    id: z.string(),
    name: z.string(),
    username: z.string(),
    profile_image_url: z.string().optional(),
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

export async function readUser(
  { accessToken }: Pick<Credentials, 'accessToken'>,
  fields = 'public_metrics,username',
): Promise<User> {
  const { data } = await call({
    method: 'GET',
    path: '/2/users/me',
    token: accessToken,
    query: { 'user.fields': fields },
    answer: userInfo,
  });

  return data;
}
