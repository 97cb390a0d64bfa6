import { preflight } from '#lib/features/content/preflight/preflight.ts';
import { withinCallLimits } from '#lib/features/social/accounts/call-limits.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { preflightContentPost } from '#schemas/content.ts';

export const handler = endpoint(preflightContentPost, async ({ organizationId, body, reply }) => ({
  preflight: await withinCallLimits(
    { organizationId, accountId: body.socialAccountId, limit: 'accountPreflight', reply },
    (account) => preflight(account, body),
  ),
}));
