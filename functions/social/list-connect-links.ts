import { listConnectLinks as list } from '#lib/features/social/oauth/connect-links.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { listConnectLinks } from '#schemas/connect-links.ts';

export const handler = endpoint(listConnectLinks, async ({ organizationId }) => {
  const connectLinks = await list(organizationId);

  return { connectLinks, total: connectLinks.length };
});
