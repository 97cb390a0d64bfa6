import { presentBioLink, listBioLinks as readLinks } from '#lib/bio/bio-links.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { listBioLinks } from '#schemas/bio.ts';

export const handler = endpoint(listBioLinks, async ({ organizationId, query }) => {
  const { items, pagination } = await readLinks(organizationId, query);

  return {
    bioLinks: items.map(presentBioLink),
    pagination,
    message: 'Bio links retrieved successfully',
  };
});
