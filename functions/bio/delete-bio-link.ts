import { deleteBioLink as remove, requireBioLink } from '#lib/bio/bio-links.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { deleteBioLink } from '#schemas/bio.ts';

export const handler = endpoint(
  deleteBioLink,
  async ({ organizationId, params }) => {
    await remove(organizationId, params.link_id);

    return { message: 'Bio link deleted successfully' };
  },
  { ahead: ({ organizationId, params }) => requireBioLink(organizationId, params.link_id) },
);
