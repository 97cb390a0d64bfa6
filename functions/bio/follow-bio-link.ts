import { countVisit, findDestination } from '#lib/bio/follow-link.ts';
import { notFoundPage } from '#lib/bio/not-found-page.ts';
import { prepareVisitors } from '#lib/bio/visitors.ts';
import { endpoint } from '#lib/http/endpoint.ts';
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
