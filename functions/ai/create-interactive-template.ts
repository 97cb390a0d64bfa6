import {
  createTemplate,
  presentInteractiveTemplate,
  templateProblems,
} from '#lib/features/ai/templates.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { createInteractiveTemplate } from '#schemas/ai.ts';

export const handler = endpoint(
  createInteractiveTemplate,
  async (request) => {
    const { organizationId, body, idempotently } = request;
    const template = await idempotently((extraWrites) =>
      createTemplate(organizationId, 'INTERACTIVE_TEMPLATE', body, extraWrites),
    );

    return { interactiveTemplate: presentInteractiveTemplate(template) };
  },
  { rules: ({ body }) => templateProblems(body) },
);
