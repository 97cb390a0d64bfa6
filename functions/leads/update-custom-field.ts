import { presentField, updateField } from '#lib/features/leads/custom-fields.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { updateCustomField } from '#schemas/custom-fields.ts';

export const handler = endpoint(updateCustomField, async ({ organizationId, params, body }) => {
  const field = await updateField(organizationId, params.field_id, body);

  return { field: presentField(field) };
});
