import { presentForm, updateForm } from '#lib/features/forms/forms.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/forms.ts';

export const handler = endpoint(contracts.updateForm, async ({ organizationId, params, body }) => ({
  form: presentForm(await updateForm(organizationId, params.form_id, body)),
}));
