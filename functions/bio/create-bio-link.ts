import { createBioLink as create, presentBioLink } from '#lib/bio/bio-links.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { createBioLink } from '#schemas/bio.ts';

export const handler = endpoint(createBioLink, async ({ organizationId, body, once }) => {
  const link = await once((alongside) => create(organizationId, body, alongside));

  return {
    bioLink: presentBioLink({ ...link, clickCount: 0 }),
    message: 'Bio link created successfully',
  };
});
