import { withCount } from '#lib/features/leads/count-segments.ts';
import { updateSegment } from '#lib/features/leads/segments.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/segments.ts';

export const handler = endpoint(
  contracts.updateSegment,
  async ({ organizationId, params, body }) => ({
    segment: await withCount(
      organizationId,
      await updateSegment(organizationId, params.segment_id, body),
    ),
  }),
);
