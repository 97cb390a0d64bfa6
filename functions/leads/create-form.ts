import { createForm, presentForm } from '#lib/features/forms/forms.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/forms.ts';

export const handler = endpoint(contracts.createForm, async ({ organizationId, body, once }) => {
  const created = await once((alongside) => createForm(organizationId, body, alongside));

  return { form: presentForm(created) };
});
