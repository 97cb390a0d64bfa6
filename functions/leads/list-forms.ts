import { listForms, presentForm } from '#lib/features/forms/forms.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/forms.ts';

export const handler = endpoint(contracts.listForms, async ({ organizationId }) => {
  const forms = await listForms(organizationId);

  return { forms: forms.map(presentForm), total: forms.length };
});
