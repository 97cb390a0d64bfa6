import { createField, optionProblems, presentField } from '#lib/features/leads/custom-fields.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { createCustomField } from '#schemas/custom-fields.ts';

export const handler = endpoint(
  createCustomField,
  async ({ organizationId, body, idempotently }) => {
    const field = await idempotently((extraWrites) =>
      createField(organizationId, body, extraWrites),
    );

    return { field: presentField(field) };
  },
  { rules: ({ body }) => optionProblems(body) },
);
