import { deleteTemplate } from '#lib/features/ai/templates.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { deletePromptTemplate } from '#schemas/ai.ts';

export const handler = endpoint(deletePromptTemplate, async ({ organizationId, params }) => {
  await deleteTemplate(organizationId, 'TEMPLATE', params.template_id);
});
