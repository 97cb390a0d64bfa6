import {
  createTemplate,
  presentNewPromptTemplate,
  templateProblems,
} from '#lib/features/ai/templates.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { createPromptTemplate } from '#schemas/ai.ts';

export const handler = endpoint(
  createPromptTemplate,
  async (request) => {
    const { organizationId, body, idempotently } = request;
    const template = await idempotently((extraWrites) =>
      createTemplate(organizationId, 'TEMPLATE', body, extraWrites),
    );

    return { promptTemplate: presentNewPromptTemplate(template) };
  },
  { rules: ({ body }) => templateProblems(body) },
);
