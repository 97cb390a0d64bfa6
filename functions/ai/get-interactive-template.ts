import { requireInteractiveTemplate } from '#lib/ai/templates.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { getInteractiveTemplate } from '#schemas/ai.ts';

export const handler = endpoint(
  getInteractiveTemplate,
  async ({ organizationId, params }) => ({
    interactiveTemplate: await requireInteractiveTemplate(organizationId, params.template_id),
    message: 'Interactive template retrieved successfully',
  }),
  {
    ahead: ({ organizationId, params }) =>
      requireInteractiveTemplate(organizationId, params.template_id),
  },
);
