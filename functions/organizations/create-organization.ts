import { endpoint } from '#lib/http/endpoint.ts';
import { createOrganization } from '#lib/organizations/create-organization.ts';
import { presentOrganization } from '#lib/organizations/organizations.ts';
import * as contracts from '#schemas/organizations.ts';

export const handler = endpoint(contracts.createOrganization, async ({ caller, body, once }) => {
  const organization = await once((alongside) =>
    createOrganization(caller.userId, body, alongside),
  );

  return {
    organization: presentOrganization(organization, 'OWNER'),
    message: 'Organization created successfully',
  };
});
