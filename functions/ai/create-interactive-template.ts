import { createTemplate, presentInteractiveTemplate } from '#lib/ai/templates.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { createInteractiveTemplate } from '#schemas/ai.ts';

export const handler = endpoint(createInteractiveTemplate, async ({ organizationId, body }) => {
  const template = await createTemplate(organizationId, 'INTERACTIVE_TEMPLATE', body);

  return {
    interactiveTemplate: presentInteractiveTemplate(template),
    message: 'Interactive template created successfully',
  };
});
