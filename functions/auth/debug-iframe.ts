import { timestamp } from '#lib/platform/clock.ts';
import { config } from '#lib/platform/config.ts';
import { authCookieAttributes } from '#lib/platform/http/cookies.ts';
import { publicEndpoint } from '#lib/platform/http/public-endpoint.ts';
import { debugIframe } from '#schemas/auth.ts';

const frameDestinations = new Set(['iframe', 'frame', 'embed', 'object', 'fencedframe']);

const recommendations = [
  'Send requests with credentials: "include", from an origin that the service allows.',
  'The cookie is Partitioned: an iframe has a separate cookie for each site that embeds it.',
  'If cookies are blocked, send the token as Authorization: Bearer.',
];

/** Returns only header names: header values may contain secrets. */
export const handler = publicEndpoint(debugIframe, async ({ event: { headers } }) => {
  const destination = headers['sec-fetch-dest'] ?? '';
  const { httpOnly, secure, sameSite, path, maxAgeSeconds } = authCookieAttributes;

  return {
    isIframe: frameDestinations.has(destination),
    requestInfo: {
      referer: headers.referer,
      userAgent: headers['user-agent'],
      origin: headers.origin,
      frameContext: frameDestinations.has(destination) ? destination : null,
      host: headers.host,
      allHeaders: Object.keys(headers).sort(),
    },
    cookieConfig: {
      httpOnly,
      secure,
      sameSite,
      domain: null,
      path,
      maxAge: maxAgeSeconds * 1000,
    },
    recommendations,
    timestamp: timestamp(),
    environment: config.stage,
  };
});
