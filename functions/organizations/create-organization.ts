import { write } from '#lib/db/write.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { planOrganization, presentOrganization } from '#lib/organizations/organizations.ts';
import { createOrganization } from '#schemas/organizations.ts';

export const handler = endpoint(createOrganization, async ({ caller, body }) => {
  const { organization, writes } = planOrganization(body, caller.userId);
  await write(...writes);

  return {
    organization: presentOrganization(organization, 'OWNER'),
    message: 'Organization created successfully',
  };
});
