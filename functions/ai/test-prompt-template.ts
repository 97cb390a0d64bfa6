import { tryTemplate } from '#lib/features/ai/try-template.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { testPromptTemplate } from '#schemas/ai.ts';

export const handler = endpoint(
  testPromptTemplate,
  async ({ organizationId, params, body, reply }) => {
    const { testMessage, variables } = body;
    const { template_id: id } = params;
    const test = { testMessage, variables: variables ?? {} };

    return { testResult: await tryTemplate(organizationId, id, test, reply.rateLimits) };
  },
);
