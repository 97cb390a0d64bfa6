import type { Credentials } from '#lib/vendors/networks/network.ts';
import * as z from '#schemas/zod.ts';
import { call } from './call.ts';

/** Ids of 19 digits arrive as numbers and are parsed as strings. */
const id = z.union([z.string(), z.number()]).transform(String);
const status = z.object({
  data: z.object({
    status: z.string(),
    fail_reason: z.string().optional(),
    /** TikTok's spelling. Empty until moderation has ended. */
    publicaly_available_post_id: z.array(id).default([]),
  }),
});

export type PublishStatus = {
  readonly status: string;
  readonly failReason: string | undefined;
  readonly postId: string | undefined;
};

/**
 * Returns the status of a publication.
 *
 * @throws NetworkError `notFound` if TikTok no longer knows the publish id.
 */
export async function readStatus(
  { accessToken }: Credentials,
  publishId: string,
): Promise<PublishStatus> {
  const { data } = await call(accessToken, {
    method: 'POST',
    path: '/v2/post/publish/status/fetch/',
    json: { publish_id: publishId },
    isHarmless: true,
    answer: status,
  });
  const [postId] = data.publicaly_available_post_id;

  return { status: data.status, failReason: data.fail_reason, postId };
}
