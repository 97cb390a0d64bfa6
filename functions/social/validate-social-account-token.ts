import { withinCallLimits } from '#lib/features/social/accounts/call-limits.ts';
import { validateToken } from '#lib/features/social/tokens/validate-token.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { validateSocialAccountToken } from '#schemas/social.ts';

export const handler = endpoint(
  validateSocialAccountToken,
  async ({ organizationId, params, reply }) => ({
    validation: await withinCallLimits(
      { organizationId, accountId: params.account_id, limit: 'accountTokenCheck', reply },
      validateToken,
    ),
  }),
);
