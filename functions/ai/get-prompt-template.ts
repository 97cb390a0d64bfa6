import { requirePromptTemplate } from '#lib/features/ai/templates.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { getPromptTemplate } from '#schemas/ai.ts';

export const handler = endpoint(getPromptTemplate, async ({ organizationId, params }) => ({
  promptTemplate: await requirePromptTemplate(organizationId, params.template_id),
}));
