import { requireErasure } from '#lib/features/erasure/erasure.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { getErasure } from '#schemas/leads.ts';

export const handler = endpoint(getErasure, async ({ organizationId, params }) => ({
  erasure: await requireErasure(organizationId, params.erasure_id),
}));
