import { capabilityMissing } from '#lib/vendors/networks/capabilities.ts';
import { pathOf } from '#lib/vendors/networks/meta/graph-call.ts';
import type { CommentActionsApi } from '#lib/vendors/networks/network.ts';
import { call, platform } from './call.ts';

/** Acts on a comment on the account's media. Instagram has no call that likes a comment. */
export const actOnComment: CommentActionsApi['actOnComment'] = async (
  credentials,
  action,
  { commentId },
) => {
  if (action === 'like' || action === 'unlike') {
    throw capabilityMissing(platform, 'likeComment');
  }
  await (action === 'delete'
    ? call(credentials, { method: 'DELETE', path: pathOf(commentId) })
    : call(credentials, {
        method: 'POST',
        path: pathOf(commentId),
        form: { hide: String(action === 'hide') },
      }));
};
