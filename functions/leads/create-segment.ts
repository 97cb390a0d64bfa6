import { withCount } from '#lib/features/leads/count-segments.ts';
import { createSegment } from '#lib/features/leads/segments.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/segments.ts';

export const handler = endpoint(
  contracts.createSegment,
  async ({ organizationId, body, idempotently }) => {
    const segment = await idempotently((extraWrites) =>
      createSegment(organizationId, body, extraWrites),
    );

    return { segment: await withCount(organizationId, segment) };
  },
);
