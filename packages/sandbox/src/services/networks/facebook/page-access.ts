import { rejectUnknown, requireGrant, requireProof } from '../meta/api.ts';
import type { NetworkCall } from '../network-definition.ts';
import type { SandboxPost } from '../network-world.ts';
import type { Grant } from '../token-store.ts';

/** Requires a valid token of the page, with the scope and the `appsecret_proof`. */
export function requirePageToken(call: NetworkCall, pageId: string, scope?: string): Grant {
  const grant = requireGrant(call, scope);
  requireProof(call, grant);

  if (grant.userId !== pageId || grant.isPerson) {
    rejectUnknown(call.request.method, pageId);
  }

  return grant;
}

/** Requires a post of the token's page. */
export function requireOwnPost(
  call: NetworkCall,
  postId: string,
  scope: string,
): { readonly post: SandboxPost; readonly grant: Grant } {
  const grant = requireGrant(call, scope);
  requireProof(call, grant);
  const post = call.world.posts.get(postId);

  if (post === undefined || post.userId !== grant.userId) {
    return rejectUnknown(call.request.method, postId);
  }

  return { post, grant };
}
