import { createForm, presentForm } from '#lib/features/forms/forms.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import * as contracts from '#schemas/forms.ts';

export const handler = endpoint(
  contracts.createForm,
  async ({ organizationId, body, idempotently }) => {
    const created = await idempotently((extraWrites) =>
      createForm(organizationId, body, extraWrites),
    );

    return { form: presentForm(created) };
  },
);
