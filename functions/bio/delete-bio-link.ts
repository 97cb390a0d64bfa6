import { deleteBioLink } from '#lib/features/bio/bio-links.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/bio.ts';

export const handler = endpoint(contracts.deleteBioLink, async ({ organizationId, params }) => {
  await deleteBioLink(organizationId, params.link_id);
});
