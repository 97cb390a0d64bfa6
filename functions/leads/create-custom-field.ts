import { createField } from '#lib/features/leads/custom-fields.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { createCustomField } from '#schemas/custom-fields.ts';

export const handler = endpoint(createCustomField, async ({ organizationId, body, once }) => {
  const field = await once((alongside) => createField(organizationId, body, alongside));

  return { field };
});
