import { deletePost } from '#lib/content/delete-post.ts';
import { requirePost } from '#lib/content/post.ts';
import { connectAccount } from '#lib/content/publishing/connect-account.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { deleteContentPost } from '#schemas/content.ts';

export const handler = endpoint(
  deleteContentPost,
  async ({ organizationId, params }) => {
    await deletePost(organizationId, params.post_id, connectAccount);

    return { message: 'Content post deleted successfully' };
  },
  { ahead: ({ organizationId, params }) => requirePost(organizationId, params.post_id) },
);
