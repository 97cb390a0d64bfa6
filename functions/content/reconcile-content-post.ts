import { showPost } from '#lib/features/content/listing/show-posts.ts';
import { reconcilePost } from '#lib/features/content/reconcile-post.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { reconcileContentPost } from '#schemas/content.ts';

/** Checks the network without sending anything. */
export const handler = endpoint(reconcileContentPost, async ({ organizationId, params }) => {
  const post = await reconcilePost(organizationId, params.post_id);

  return { contentPost: await showPost(post) };
});
