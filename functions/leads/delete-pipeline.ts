import { deletePipeline } from '#lib/features/leads/pipelines/pipelines.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/leads.ts';

export const handler = endpoint(contracts.deletePipeline, async ({ organizationId, params }) => {
  await deletePipeline(organizationId, params.pipeline_id);
});
