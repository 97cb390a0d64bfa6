import { notFoundPage } from '#lib/features/bio/not-found-page.ts';
import { formPage } from '#lib/features/forms/form-page.ts';
import { findShownForm } from '#lib/features/forms/show-form.ts';
import { publicEndpoint } from '#lib/platform/http/public-endpoint.ts';
import { getFormPage } from '#schemas/forms.ts';

export const handler = publicEndpoint(getFormPage, async ({ params, query }) => {
  const shown = await findShownForm(params.code, query);

  return shown ? formPage(shown) : notFoundPage();
});
