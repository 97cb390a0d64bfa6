import type { Credentials } from '#lib/vendors/networks/network.ts';
import * as z from '#schemas/zod.ts';
import { callTiktok } from './call.ts';

/** Ids come as numbers of 19 digits, which are read as texts before they lose their last digits. */
const id = z.union([z.string(), z.number()]).transform(String);
const status = z.object({
  data: z.object({
    status: z.string(),
    fail_reason: z.string().optional(),
    /** TikTok's own spelling. Empty until moderation has ended. */
    publicaly_available_post_id: z.array(id).default([]),
  }),
});

export type PublishStatus = {
  readonly status: string;
  readonly failReason: string | undefined;
  readonly postId: string | undefined;
};

/** Where a publication stands. @throws NetworkError `notFound` for one that TikTok forgot. */
export async function readStatus(
  { accessToken }: Credentials,
  publishId: string,
): Promise<PublishStatus> {
  const { data } = await callTiktok(accessToken, {
    method: 'POST',
    path: '/v2/post/publish/status/fetch/',
    json: { publish_id: publishId },
    isHarmless: true,
    answer: status,
  });
  const [postId] = data.publicaly_available_post_id;

  return { status: data.status, failReason: data.fail_reason, postId };
}
