import { countVisit, findDestination } from '#lib/features/bio/follow-link.ts';
import { notFoundPage } from '#lib/features/bio/not-found-page.ts';
import { prepareVisitors } from '#lib/features/bio/visitors.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { followBioLink } from '#schemas/bio.ts';

export const handler = endpoint(followBioLink, async ({ event, params, clientIp, userAgent }) => {
  const [destination] = await Promise.all([findDestination(params.code), prepareVisitors()]);
  if (!destination) {
    return notFoundPage();
  }
  const { method } = event.requestContext.http;
  await countVisit(destination, { method, clientIp, userAgent, headers: event.headers });

  return {
    statusCode: 302,
    headers: {
      location: destination.url,
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex',
    },
    body: '',
  };
});
