import { createTemplate, presentNewPromptTemplate } from '#lib/features/ai/templates.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { createPromptTemplate } from '#schemas/ai.ts';

export const handler = endpoint(createPromptTemplate, async (request) => {
  const { organizationId, body, once } = request;
  const template = await once((alongside) =>
    createTemplate(organizationId, 'TEMPLATE', body, alongside),
  );

  return { promptTemplate: presentNewPromptTemplate(template) };
});
