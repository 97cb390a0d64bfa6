import { presentPromptTemplates, listPromptTemplates as readPage } from '#lib/ai/templates.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { listPromptTemplates } from '#schemas/ai.ts';

export const handler = endpoint(listPromptTemplates, async ({ organizationId, query }) => {
  const { items, pagination } = await readPage(organizationId, query);

  return {
    promptTemplates: await presentPromptTemplates(organizationId, items),
    pagination,
    message: 'Prompt templates retrieved successfully',
  };
});
