import { listPromptTemplates, presentPromptTemplates } from '#lib/features/ai/templates.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/ai.ts';

export const handler = endpoint(
  contracts.listPromptTemplates,
  async ({ organizationId, query }) => {
    const { items, pagination } = await listPromptTemplates(organizationId, query);

    return {
      promptTemplates: await presentPromptTemplates(organizationId, items),
      pagination,
    };
  },
);
