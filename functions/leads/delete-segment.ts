import { segments } from '#lib/features/leads/segments.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/segments.ts';

export const handler = endpoint(contracts.deleteSegment, async ({ organizationId, params }) => {
  await segments.remove(organizationId, params.segment_id);
});
