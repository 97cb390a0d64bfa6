import { deleteForm } from '#lib/features/forms/forms.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/forms.ts';

export const handler = endpoint(contracts.deleteForm, ({ organizationId, params }) =>
  deleteForm(organizationId, params.form_id),
);
