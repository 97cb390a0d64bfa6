import { endpoint } from '#lib/http/endpoint.ts';
import { validateToken } from '#lib/social/tokens/validate-token.ts';
import { validateSocialAccountToken } from '#schemas/social.ts';

export const handler = endpoint(validateSocialAccountToken, async ({ organizationId, params }) => ({
  validation: await validateToken(organizationId, params.account_id),
  message: 'Token validated successfully',
}));
