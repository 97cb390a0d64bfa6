import { withCounts } from '#lib/features/leads/count-segments.ts';
import { listSegments } from '#lib/features/leads/segments.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/segments.ts';

export const handler = endpoint(contracts.listSegments, async ({ organizationId }) => {
  const counted = await withCounts(organizationId, await listSegments(organizationId));

  return { segments: counted, total: counted.length };
});
