import { notFoundPage } from '#lib/features/bio/not-found-page.ts';
import { formPage } from '#lib/features/forms/form-page.ts';
import { findShownForm } from '#lib/features/forms/show-form.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { getFormPage } from '#schemas/forms.ts';

export const handler = endpoint(getFormPage, async ({ params, query }) => {
  const shown = await findShownForm(params.code, query);

  return shown ? formPage(shown) : notFoundPage();
});
