import { renewToken } from '#lib/features/social/tokens/renew-token.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { refreshSocialAccountToken } from '#schemas/social.ts';

export const handler = endpoint(
  refreshSocialAccountToken,
  async ({ organizationId, caller, params, body, once }) => ({
    tokenInfo: await once((alongside) =>
      renewToken(organizationId, caller.userId, params.account_id, body.refreshToken, alongside),
    ),
  }),
);
