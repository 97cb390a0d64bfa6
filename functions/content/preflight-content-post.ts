import { preflight } from '#lib/features/content/preflight.ts';
import { requireSocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { preflightContentPost } from '#schemas/content.ts';

export const handler = endpoint(
  preflightContentPost,
  async ({ organizationId, body }) => ({
    preflight: await preflight(organizationId, body),
  }),
  {
    ahead: ({ organizationId, body }) => requireSocialAccount(organizationId, body.socialAccountId),
  },
);
