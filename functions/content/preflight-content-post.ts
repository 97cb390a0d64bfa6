import { preflight } from '#lib/content/preflight.ts';
import { connectAccount } from '#lib/content/publishing/connect-account.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { requireSocialAccount } from '#lib/social/accounts.ts';
import { preflightContentPost } from '#schemas/content.ts';

export const handler = endpoint(
  preflightContentPost,
  async ({ organizationId, body }) => ({
    preflight: await preflight(organizationId, body, connectAccount),
    message: 'Content post checked successfully',
  }),
  {
    ahead: ({ organizationId, body }) => requireSocialAccount(organizationId, body.socialAccountId),
  },
);
