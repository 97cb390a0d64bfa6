import { windowPage } from '#lib/features/social/oauth/connect-page.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { getConnectedPage } from '#schemas/social-oauth.ts';

export const handler = endpoint(getConnectedPage, async ({ query }) =>
  windowPage(query.error !== undefined),
);
