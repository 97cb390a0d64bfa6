import type { Credentials, Published } from '#lib/vendors/networks/network.ts';
import * as z from '#schemas/zod.ts';
import { call } from './call.ts';

const created = z.object({ data: z.object({ id: z.string() }) });

export async function createPost({ accessToken }: Credentials, post: object): Promise<Published> {
  const { data } = await call({
    method: 'POST',
    path: '/2/tweets',
    token: accessToken,
    json: post,
    answer: created,
  });

  return published(data.id);
}

export function published(id: string): Published {
  return { state: 'published', platformPostId: id, url: postUrl(id) };
}

/** Returns the URL of a post. X redirects it to the URL that contains the author's name. */
export function postUrl(id: string): string {
  return `https://x.com/i/web/status/${id}`;
}
