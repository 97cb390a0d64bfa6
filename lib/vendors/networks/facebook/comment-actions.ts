import { pathOf } from '#lib/vendors/networks/meta/graph-call.ts';
import type { CommentActionsApi } from '#lib/vendors/networks/network.ts';
import { call } from './call.ts';

/**
 * Acts on a comment as the page.
 *
 * Unverified: likes as a page, and removing a like that does not exist. See docs/operations.md.
 */
export const actOnComment: CommentActionsApi['actOnComment'] = async (
  credentials,
  action,
  { commentId },
) => {
  if (action === 'delete') {
    await call(credentials, { method: 'DELETE', path: pathOf(commentId) });
  } else if (action === 'like' || action === 'unlike') {
    const method = action === 'like' ? 'POST' : 'DELETE';
    await call(credentials, { method, path: pathOf(commentId, 'likes') });
  } else {
    const form = { is_hidden: String(action === 'hide') };
    await call(credentials, { method: 'POST', path: pathOf(commentId), form });
  }
};
