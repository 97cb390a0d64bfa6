import { withCount } from '#lib/features/leads/count-segments.ts';
import { requireSegment } from '#lib/features/leads/segments.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/segments.ts';

export const handler = endpoint(contracts.getSegment, async ({ organizationId, params }) => ({
  segment: await withCount(organizationId, await requireSegment(organizationId, params.segment_id)),
}));
