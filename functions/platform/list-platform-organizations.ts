import { listForOperator, presentForOperator } from '#lib/features/operators/organizations.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { listPlatformOrganizations } from '#schemas/operators.ts';

export const handler = endpoint(listPlatformOrganizations, async ({ query }) => {
  const { items, pagination } = await listForOperator(query);

  return { organizations: items.map(presentForOperator), pagination };
});
