import { finishConsent } from '#lib/features/social/oauth/finish-consent.ts';
import { publicEndpoint } from '#lib/platform/http/public-endpoint.ts';
import { platformNamed } from '#schemas/platform-path.ts';
import { receiveOauthCallback } from '#schemas/social-oauth.ts';

export const handler = publicEndpoint(receiveOauthCallback, async ({ params, query }) => ({
  statusCode: 302,
  headers: {
    location: await finishConsent(platformNamed(params.platform), query),
    'content-type': receiveOauthCallback.contentType,
  },
  body: '',
}));
