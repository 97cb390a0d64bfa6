import { renewToken } from '#lib/features/social/tokens/refresh-token.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { refreshSocialAccountToken } from '#schemas/social.ts';

export const handler = endpoint(
  refreshSocialAccountToken,
  async ({ organizationId, caller, params, body, idempotently }) => ({
    tokenInfo: await idempotently((extraWrites) =>
      renewToken(organizationId, caller.userId, params.account_id, body.refreshToken, extraWrites),
    ),
  }),
);
