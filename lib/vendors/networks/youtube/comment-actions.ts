import { capabilityMissing } from '#lib/vendors/networks/capabilities.ts';
import type { CommentActionsApi } from '#lib/vendors/networks/network.ts';
import { call, platform } from './call.ts';

/** A rejected comment cannot be published again. Only its author may use `comments.delete`. */
const statuses = { hide: 'heldForReview', unhide: 'published', delete: 'rejected' } as const;

/** Moderates a comment on the channel's videos. YouTube has no call that likes a comment. */
export const actOnComment: CommentActionsApi['actOnComment'] = async (
  credentials,
  action,
  { commentId },
) => {
  if (action === 'like' || action === 'unlike') {
    throw capabilityMissing(platform, 'likeComment');
  }
  await call(credentials, {
    method: 'POST',
    path: '/comments/setModerationStatus',
    query: { id: commentId, moderationStatus: statuses[action] },
  });
};
