import { deleteTemplate } from '#lib/features/ai/templates.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { deleteInteractiveTemplate } from '#schemas/ai.ts';

export const handler = endpoint(deleteInteractiveTemplate, async ({ organizationId, params }) => {
  await deleteTemplate(organizationId, 'INTERACTIVE_TEMPLATE', params.template_id);
});
