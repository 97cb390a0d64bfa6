import { preflight } from '#lib/features/content/preflight.ts';
import { connectAccount } from '#lib/features/content/publishing/connect-account.ts';
import { requireSocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { preflightContentPost } from '#schemas/content.ts';

export const handler = endpoint(
  preflightContentPost,
  async ({ organizationId, body }) => ({
    preflight: await preflight(organizationId, body, connectAccount),
  }),
  {
    ahead: ({ organizationId, body }) => requireSocialAccount(organizationId, body.socialAccountId),
  },
);
