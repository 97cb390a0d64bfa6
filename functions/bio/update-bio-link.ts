import { updateBioLink as applyPatch, presentBioLink, requireBioLink } from '#lib/bio/bio-links.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { updateBioLink } from '#schemas/bio.ts';

export const handler = endpoint(
  updateBioLink,
  async ({ organizationId, params, body }) => {
    const link = await applyPatch(organizationId, params.link_id, body);

    return { bioLink: presentBioLink(link), message: 'Bio link updated successfully' };
  },
  { ahead: ({ organizationId, params }) => requireBioLink(organizationId, params.link_id) },
);
