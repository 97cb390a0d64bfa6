import { listBioLinks, presentBioLink } from '#lib/features/bio/bio-links.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/bio.ts';

export const handler = endpoint(contracts.listBioLinks, async ({ organizationId, query }) => {
  const { items, pagination } = await listBioLinks(organizationId, query);

  return {
    bioLinks: items.map(presentBioLink),
    pagination,
  };
});
