import { requirePromptTemplate, updateTemplate } from '#lib/ai/templates.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { updatePromptTemplate } from '#schemas/ai.ts';

export const handler = endpoint(updatePromptTemplate, async ({ organizationId, params, body }) => {
  await updateTemplate(organizationId, 'TEMPLATE', params.template_id, body);

  return {
    promptTemplate: await requirePromptTemplate(organizationId, params.template_id),
    message: 'Prompt template updated successfully',
  };
});
