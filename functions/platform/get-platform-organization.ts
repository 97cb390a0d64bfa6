import { presentForOperator } from '#lib/features/operators/organizations.ts';
import { requireOrganization } from '#lib/features/organizations/organizations.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { getPlatformOrganization } from '#schemas/operators.ts';

export const handler = endpoint(getPlatformOrganization, async ({ params }) => ({
  organization: presentForOperator(await requireOrganization(params.organization_id)),
}));
