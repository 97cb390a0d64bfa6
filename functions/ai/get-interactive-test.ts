import { requireAbTest } from '#lib/features/ai/ab-tests.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { getInteractiveTest } from '#schemas/ai.ts';

export const handler = endpoint(getInteractiveTest, async ({ organizationId, params }) => ({
  test: await requireAbTest(organizationId, params.test_id),
}));
