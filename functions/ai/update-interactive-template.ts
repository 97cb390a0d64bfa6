import { presentInteractiveTemplate, updateTemplate } from '#lib/features/ai/templates.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { updateInteractiveTemplate } from '#schemas/ai.ts';

export const handler = endpoint(
  updateInteractiveTemplate,
  async ({ organizationId, params, body }) => {
    const { template_id: id } = params;
    const template = await updateTemplate(organizationId, 'INTERACTIVE_TEMPLATE', id, body);

    return { interactiveTemplate: presentInteractiveTemplate(template) };
  },
);
