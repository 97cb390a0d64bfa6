import { createPost } from '#lib/content/create-post.ts';
import { presentPost } from '#lib/content/post.ts';
import { connectAccount } from '#lib/content/publishing/connect-account.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { requireSocialAccount } from '#lib/social/accounts.ts';
import { createContentPost } from '#schemas/content.ts';

/** Creates a draft or a scheduled post, or publishes the post before responding. */
export const handler = endpoint(
  createContentPost,
  async ({ organizationId, body, intent }) => {
    const { post, account } = await createPost(organizationId, intent, body, connectAccount);

    return {
      contentPost: presentPost(post, account),
      message: 'Content post created successfully',
    };
  },
  {
    ahead: ({ organizationId, body }) => requireSocialAccount(organizationId, body.socialAccountId),
  },
);
