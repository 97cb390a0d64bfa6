import {
  listInteractiveTemplates,
  presentInteractiveTemplates,
} from '#lib/features/ai/templates.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/ai.ts';

export const handler = endpoint(
  contracts.listInteractiveTemplates,
  async ({ organizationId, query }) => {
    const templates = await listInteractiveTemplates(organizationId, query);

    return {
      interactiveTemplates: await presentInteractiveTemplates(organizationId, templates),
      total: templates.length,
    };
  },
);
