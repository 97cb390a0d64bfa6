import { tryTemplate } from '#lib/features/ai/try-template.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { testPromptTemplate } from '#schemas/ai.ts';

export const handler = endpoint(testPromptTemplate, async ({ organizationId, params, body }) => {
  const { testMessage, variables } = body;
  const { template_id: id } = params;

  return {
    testResult: await tryTemplate(organizationId, id, testMessage, variables ?? {}),
  };
});
