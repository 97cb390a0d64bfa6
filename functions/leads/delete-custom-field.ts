import { deleteField } from '#lib/features/leads/custom-fields.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { deleteCustomField } from '#schemas/custom-fields.ts';

export const handler = endpoint(deleteCustomField, async ({ organizationId, params }) => {
  await deleteField(organizationId, params.field_id);
});
