import { countVisit } from '#lib/features/bio/follow-link.ts';
import { notFoundPage } from '#lib/features/bio/not-found-page.ts';
import { prepareVisitors } from '#lib/features/bio/visitors.ts';
import { claimClick } from '#lib/features/personal-links/claim-click.ts';
import { type Destination, findDestination } from '#lib/features/short-links/destination.ts';
import { isByPerson, type Visit } from '#lib/features/short-links/visit.ts';
import { publicEndpoint } from '#lib/platform/http/public-endpoint.ts';
import { isSuspended } from '#lib/platform/identity/identity.ts';
import { followBioLink } from '#schemas/bio.ts';

export const handler = publicEndpoint(
  followBioLink,
  async ({ event, params, clientIp, userAgent }) => {
    const [destination] = await Promise.all([findDestination(params.code), prepareVisitors()]);
    if (!destination) {
      return notFoundPage();
    }
    const { method } = event.requestContext.http;
    const visit = { method, clientIp, userAgent, headers: event.headers };
    const [suspended] = await Promise.all([
      isSuspended(destination.organizationId),
      isByPerson(visit) && countClick(destination, visit),
    ]);
    if (suspended) {
      return notFoundPage();
    }

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
  },
);

/** For a bio link, counts its visitors. For a personal link, counts its customer. */
function countClick(destination: Destination, visit: Visit): Promise<void> {
  return destination.kind === 'PERSONAL' ? claimClick(destination) : countVisit(destination, visit);
}
