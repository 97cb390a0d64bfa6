import type { Credentials } from '#lib/vendors/networks/network.ts';
import * as z from '#schemas/zod.ts';
import { call } from './call.ts';

const userInfo = z.object({
  data: z.object({
    user: z.object({
      open_id: z.string(),
      display_name: z.string().default(''),
      username: z.string().optional(),
      avatar_url: z.string().optional(),
      follower_count: z.number().optional(),
      likes_count: z.number().optional(),
      video_count: z.number().optional(),
    }),
  }),
});

export async function readUser({ accessToken }: Pick<Credentials, 'accessToken'>, fields: string) {
  const { data } = await call(accessToken, {
    method: 'GET',
    path: '/v2/user/info/',
    query: { fields },
    answer: userInfo,
  });

  return data.user;
}
