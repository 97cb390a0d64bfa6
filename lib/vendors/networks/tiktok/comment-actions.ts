import type { CommentAction, CommentActionsApi } from '#lib/vendors/networks/network.ts';
import { NetworkError } from '#lib/vendors/networks/network-error.ts';
import * as z from '#schemas/zod.ts';
import { callBusiness, platform } from './call.ts';

const paths: Readonly<Record<CommentAction, string>> = {
  hide: 'hide',
  unhide: 'hide',
  like: 'like',
  unlike: 'like',
  delete: 'delete',
};

/**
 * Acts on a comment through the Business API. To hide a comment, the request must contain its
 * video.
 *
 * Unverified: the parameters, known only from third-party clients. See docs/operations.md.
 */
export const actOnComment: CommentActionsApi['actOnComment'] = async (
  { platformUserId, accessToken },
  action,
  { commentId, platformPostId },
) => {
  const isHiding = paths[action] === 'hide';
  if (isHiding && platformPostId === undefined) {
    throw new NetworkError(platform, 'refused', {
      message: 'TikTok requires the id of the video that the comment belongs to',
    });
  }
  await callBusiness(accessToken, {
    method: 'POST',
    path: `/business/comment/${paths[action]}/`,
    json: {
      business_id: platformUserId,
      comment_id: commentId,
      ...(isHiding ? { video_id: platformPostId } : {}),
      ...(action === 'delete' ? {} : { action: action.toUpperCase() }),
    },
    answer: z.unknown(),
  });
};
