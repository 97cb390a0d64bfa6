import { limitProblems } from '#lib/features/operators/limits.ts';
import { presentForOperator, updateForOperator } from '#lib/features/operators/organizations.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { updatePlatformOrganization } from '#schemas/operators.ts';

export const handler = endpoint(
  updatePlatformOrganization,
  async ({ params, body }) => ({
    organization: presentForOperator(await updateForOperator(params.organization_id, body)),
  }),
  {
    rules: ({ body }) => [
      ...(body.suspended && body.reason === undefined ? ['reason is required'] : []),
      ...limitProblems(body.limits),
    ],
  },
);
