import { createBioLink as create, presentBioLink } from '#lib/bio/bio-links.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { createBioLink } from '#schemas/bio.ts';

export const handler = endpoint(createBioLink, async ({ organizationId, body }) => {
  const link = await create(organizationId, body);

  return {
    bioLink: presentBioLink({ ...link, clickCount: 0 }),
    message: 'Bio link created successfully',
  };
});
