import { createOrganization } from '#lib/features/organization-lifecycle/create-organization.ts';
import { presentOrganization } from '#lib/features/organizations/organizations.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/organizations.ts';

export const handler = endpoint(contracts.createOrganization, async ({ caller, body, once }) => {
  const organization = await once((alongside) =>
    createOrganization(caller.userId, body, alongside),
  );

  return { organization: presentOrganization(organization, 'OWNER') };
});
