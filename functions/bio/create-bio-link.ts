import { createBioLink, presentBioLink } from '#lib/features/bio/bio-links.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/bio.ts';

export const handler = endpoint(contracts.createBioLink, async ({ organizationId, body, once }) => {
  const link = await once((alongside) => createBioLink(organizationId, body, alongside));

  return { bioLink: presentBioLink({ ...link, clickCount: 0 }) };
});
