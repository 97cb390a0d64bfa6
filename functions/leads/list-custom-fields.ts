import { listFields } from '#lib/features/leads/custom-field.ts';
import { presentField } from '#lib/features/leads/custom-fields.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { listCustomFields } from '#schemas/custom-fields.ts';

export const handler = endpoint(listCustomFields, async ({ organizationId }) => {
  const fields = await listFields(organizationId);

  return { fields: fields.map(presentField), total: fields.length };
});
