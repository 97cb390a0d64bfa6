import {
  presentInteractiveTemplates,
  listInteractiveTemplates as readTemplates,
} from '#lib/ai/templates.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { listInteractiveTemplates } from '#schemas/ai.ts';

export const handler = endpoint(listInteractiveTemplates, async ({ organizationId, query }) => {
  const templates = await readTemplates(organizationId, query);

  return {
    interactiveTemplates: await presentInteractiveTemplates(organizationId, templates),
    total: templates.length,
    message: 'Interactive templates retrieved successfully',
  };
});
