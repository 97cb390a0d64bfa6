import { createTemplate, presentInteractiveTemplate } from '#lib/features/ai/templates.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { createInteractiveTemplate } from '#schemas/ai.ts';

export const handler = endpoint(createInteractiveTemplate, async (request) => {
  const { organizationId, body, once } = request;
  const template = await once((alongside) =>
    createTemplate(organizationId, 'INTERACTIVE_TEMPLATE', body, alongside),
  );

  return { interactiveTemplate: presentInteractiveTemplate(template) };
});
