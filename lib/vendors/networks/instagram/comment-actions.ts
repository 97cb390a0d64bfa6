import { capabilityMissing } from '#lib/vendors/networks/capabilities.ts';
import { pathOf } from '#lib/vendors/networks/meta/graph-call.ts';
import type { CommentAction, CommentTarget, Credentials } from '#lib/vendors/networks/network.ts';
import { call, platform } from './call.ts';

/** Acts on a comment on the account's media. Instagram has no call that likes a comment. */
export async function actOnComment(
  credentials: Credentials,
  action: CommentAction,
  { commentId }: CommentTarget,
): Promise<void> {
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
}
