import { presentUsedTemplate, updateTemplate } from '#lib/features/ai/templates.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { updatePromptTemplate } from '#schemas/ai.ts';

export const handler = endpoint(updatePromptTemplate, async ({ organizationId, params, body }) => {
  const { template_id: id } = params;
  const template = await updateTemplate(organizationId, 'TEMPLATE', id, body);

  return { promptTemplate: await presentUsedTemplate(template) };
});
