import { endpoint } from '#lib/http/endpoint.ts';
import { renewToken } from '#lib/social/tokens/renew-token.ts';
import { refreshSocialAccountToken } from '#schemas/social.ts';

export const handler = endpoint(
  refreshSocialAccountToken,
  async ({ organizationId, caller, params, body }) => ({
    tokenInfo: await renewToken(
      organizationId,
      caller.userId,
      params.account_id,
      body.refreshToken ?? undefined,
    ),
    message: 'Token refreshed successfully',
  }),
);
