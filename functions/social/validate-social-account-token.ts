import { validateToken } from '#lib/features/social/tokens/validate-token.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { validateSocialAccountToken } from '#schemas/social.ts';

export const handler = endpoint(validateSocialAccountToken, async ({ organizationId, params }) => ({
  validation: await validateToken(organizationId, params.account_id),
}));
