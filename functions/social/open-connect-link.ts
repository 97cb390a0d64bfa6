import { visitConnectLink } from '#lib/features/social/oauth/visit-connect-link.ts';
import { publicEndpoint } from '#lib/platform/http/public-endpoint.ts';
import { openConnectLink } from '#schemas/connect-links.ts';

export const handler = publicEndpoint(openConnectLink, ({ params, query }) =>
  visitConnectLink(params.token, query),
);
