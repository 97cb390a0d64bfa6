import { createTemplate, presentNewPromptTemplate } from '#lib/ai/templates.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { createPromptTemplate } from '#schemas/ai.ts';

export const handler = endpoint(createPromptTemplate, async ({ organizationId, body }) => {
  const template = await createTemplate(organizationId, 'TEMPLATE', body);

  return {
    promptTemplate: presentNewPromptTemplate(template),
    message: 'Prompt template created successfully',
  };
});
