import { createTemplate, presentInteractiveTemplate } from '#lib/ai/templates.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { createInteractiveTemplate } from '#schemas/ai.ts';

export const handler = endpoint(createInteractiveTemplate, async (request) => {
  const { organizationId, body, once } = request;
  const template = await once((alongside) =>
    createTemplate(organizationId, 'INTERACTIVE_TEMPLATE', body, alongside),
  );

  return {
    interactiveTemplate: presentInteractiveTemplate(template),
    message: 'Interactive template created successfully',
  };
});
