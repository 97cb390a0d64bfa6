import { refuseUnknown, requireGrant, requireProof } from '../meta/api.ts';
import type { NetworkCall } from '../network-definition.ts';
import type { SandboxPost } from '../network-world.ts';
import type { Grant } from '../token-store.ts';

/** Requires a valid page token for this page, with the scope and the app secret proof. */
export function requirePageToken(call: NetworkCall, pageId: string, scope?: string): Grant {
  const grant = requireGrant(call, scope);
  requireProof(call, grant);

  if (grant.userId !== pageId || grant.pages.length > 0) {
    refuseUnknown(call.request.method, pageId);
  }

  return grant;
}

/** Requires a post of the page that owns the token. */
export function requireOwnPost(
  call: NetworkCall,
  postId: string,
  scope: string,
): { readonly post: SandboxPost; readonly grant: Grant } {
  const grant = requireGrant(call, scope);
  requireProof(call, grant);
  const post = call.world.posts.get(postId);

  if (post === undefined || post.userId !== grant.userId) {
    return refuseUnknown(call.request.method, postId);
  }

  return { post, grant };
}
