import { windowPage } from '#lib/features/social/oauth/connect-page.ts';
import { publicEndpoint } from '#lib/platform/http/public-endpoint.ts';
import { getConnectedPage } from '#schemas/social-oauth.ts';

export const handler = publicEndpoint(getConnectedPage, async ({ query }) =>
  windowPage(query.error !== undefined),
);
