import { listActiveBioLinks } from '#lib/features/bio/bio-links.ts';
import { renderBioPage } from '#lib/features/bio/bio-page.ts';
import { notFoundPage } from '#lib/features/bio/not-found-page.ts';
import { findOpenOrganization } from '#lib/features/organizations/organizations.ts';
import { publicEndpoint } from '#lib/platform/http/public-endpoint.ts';
import { caching, staticAnswer, staticFile } from '#lib/platform/http/static-file.ts';
import { getBioPage } from '#schemas/bio.ts';

const maxLinks = 100;

/**
 * Clients revalidate the page on each visit. An unchanged page returns 304. Without an active link,
 * the response does not reveal whether the organization exists.
 */
export const handler = publicEndpoint(getBioPage, async ({ event, params }) => {
  const [owner, links] = await Promise.all([
    findOpenOrganization(params.organization_id),
    listActiveBioLinks(params.organization_id, maxLinks),
  ]);
  if (!owner || links.length === 0) {
    return notFoundPage();
  }
  const { html, policy } = renderBioPage(owner, links);

  return staticAnswer(event, staticFile('page.html', Buffer.from(html)), {
    cacheControl: caching.revalidated,
    headers: { 'content-security-policy': policy },
  });
});
