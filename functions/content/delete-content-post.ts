import { deletePost } from '#lib/features/content/delete-post.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { deleteContentPost } from '#schemas/content.ts';

export const handler = endpoint(deleteContentPost, ({ organizationId, params, query }) =>
  deletePost(organizationId, params.post_id, query),
);
