import { createOrganization } from '#lib/features/organization-lifecycle/create-organization.ts';
import { presentOrganization } from '#lib/features/organizations/organizations.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/organizations.ts';

export const handler = endpoint(
  contracts.createOrganization,
  async ({ caller, body, idempotently }) => {
    const organization = await idempotently((extraWrites) =>
      createOrganization(caller.userId, body, extraWrites),
    );

    return { organization: presentOrganization(organization, 'OWNER') };
  },
);
