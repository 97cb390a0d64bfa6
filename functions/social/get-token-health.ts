import { readTokenHealth } from '#lib/features/content/preflight/token-health.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { getTokenHealth } from '#schemas/social.ts';

export const handler = endpoint(getTokenHealth, async ({ organizationId, params }) => ({
  tokenHealth: await readTokenHealth(organizationId, params.account_id),
}));
