import { endpoint } from '#lib/http/endpoint.ts';
import { renewToken } from '#lib/social/tokens/renew-token.ts';
import { refreshSocialAccountToken } from '#schemas/social.ts';

export const handler = endpoint(
  refreshSocialAccountToken,
  async ({ organizationId, caller, params, body, once }) => ({
    tokenInfo: await once((alongside) =>
      renewToken(organizationId, caller.userId, params.account_id, body.refreshToken, alongside),
    ),
    message: 'Token refreshed successfully',
  }),
);
