import { endpoint } from '#lib/http/endpoint.ts';
import {
  createOrganization as found,
  presentOrganization,
} from '#lib/organizations/organizations.ts';
import { createOrganization } from '#schemas/organizations.ts';

export const handler = endpoint(createOrganization, async ({ caller, body, once }) => {
  const organization = await once((alongside) => found(caller.userId, body, alongside));

  return {
    organization: presentOrganization(organization, 'OWNER'),
    message: 'Organization created successfully',
  };
});
