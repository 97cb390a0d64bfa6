import { bioLinkProblems, createBioLink, presentBioLink } from '#lib/features/bio/bio-links.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/bio.ts';

export const handler = endpoint(
  contracts.createBioLink,
  async ({ organizationId, body, idempotently }) => {
    const link = await idempotently((extraWrites) =>
      createBioLink(organizationId, body, extraWrites),
    );

    return { bioLink: presentBioLink({ ...link, clickCount: 0 }) };
  },
  { rules: ({ body }) => bioLinkProblems(body) },
);
