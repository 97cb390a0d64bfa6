import { createForCustomer } from '#lib/features/operators/create-organization.ts';
import { presentForOperator } from '#lib/features/operators/organizations.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { createPlatformOrganization } from '#schemas/operators.ts';

export const handler = endpoint(createPlatformOrganization, async ({ body, idempotently }) => {
  const { organization, apiKey } = await idempotently((extraWrites) =>
    createForCustomer(body, extraWrites),
  );

  return { organization: presentForOperator(organization), apiKey };
});
