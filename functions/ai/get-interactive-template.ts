import { requireInteractiveTemplate } from '#lib/features/ai/templates.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { getInteractiveTemplate } from '#schemas/ai.ts';

export const handler = endpoint(getInteractiveTemplate, async ({ organizationId, params }) => ({
  interactiveTemplate: await requireInteractiveTemplate(organizationId, params.template_id),
}));
