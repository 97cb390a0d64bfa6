import { capabilityMissing } from '#lib/vendors/networks/capabilities.ts';
import type { CommentActionsApi, Credentials } from '#lib/vendors/networks/network.ts';
import { ifFound, NetworkError } from '#lib/vendors/networks/network-error.ts';
import { call, organizationUrn, platform, restli } from './call.ts';
import { partsOfComment } from './comment-urn.ts';

/**
 * Acts on a comment as the organization. LinkedIn cannot hide a comment.
 *
 * Unverified: that the organization may delete other members' comments, and the code of a second
 * reaction. See docs/operations.md.
 */
export const actOnComment: CommentActionsApi['actOnComment'] = async (
  credentials,
  action,
  { commentId },
) => {
  const actor = organizationUrn(credentials.platformUserId);
  const { thread, id } = partsOfComment(commentId);
  switch (action) {
    case 'delete':
      await call(credentials, {
        method: 'DELETE',
        path: `/rest/socialActions/${restli(thread)}/comments/${restli(id)}`,
        query: { actor: restli(actor) },
      });

      return;
    case 'like':
      await like(credentials, actor, commentId);

      return;
    case 'unlike':
      await ifFound(
        call(credentials, {
          method: 'DELETE',
          path: `/rest/reactions/(actor:${restli(actor)},entity:${restli(commentId)})`,
        }),
      );

      return;
    default:
      throw capabilityMissing(platform, 'hideComment');
  }
};

/** An organization can have one reaction to a comment. LinkedIn rejects a second one. */
async function like(credentials: Credentials, actor: string, commentId: string): Promise<void> {
  try {
    await call(credentials, {
      method: 'POST',
      path: '/rest/reactions',
      query: { actor: restli(actor) },
      json: { root: commentId, reactionType: 'LIKE' },
    });
  } catch (failure) {
    if (!(failure instanceof NetworkError && failure.code === 'DUPLICATE_ENTRY')) {
      throw failure;
    }
  }
}
