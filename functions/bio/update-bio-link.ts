import { bioLinkProblems, presentBioLink, updateBioLink } from '#lib/features/bio/bio-links.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/bio.ts';

export const handler = endpoint(
  contracts.updateBioLink,
  async ({ organizationId, params, body }) => {
    const link = await updateBioLink(organizationId, params.link_id, body);

    return { bioLink: presentBioLink(link) };
  },
  { rules: ({ body }) => bioLinkProblems(body) },
);
