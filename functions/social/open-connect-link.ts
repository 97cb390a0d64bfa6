import { visitConnectLink } from '#lib/features/social/oauth/visit-connect-link.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { openConnectLink } from '#schemas/connect-links.ts';

export const handler = endpoint(openConnectLink, ({ params, query }) =>
  visitConnectLink(params.token, query),
);
