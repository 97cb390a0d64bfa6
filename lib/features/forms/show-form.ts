import { listFields } from '#lib/features/leads/custom-field.ts';
import { findOpenOrganization } from '#lib/features/organizations/organizations.ts';
import type { QueryOf } from '#schemas/contract.ts';
import type * as contracts from '#schemas/forms.ts';
import { inputsOf } from './form-inputs.ts';
import type { ShownForm } from './form-page.ts';
import { findFormByCode } from './forms.ts';

export type UtmQuery = QueryOf<typeof contracts.getFormPage>;

/** Returns the data that the page of an active form shows. */
export async function findShownForm(code: string, utm: UtmQuery): Promise<ShownForm | undefined> {
  const form = await findFormByCode(code);
  if (!form) {
    return undefined;
  }
  const { organizationId } = form;
  const [owner, customFields] = await Promise.all([
    findOpenOrganization(organizationId),
    listFields(organizationId),
  ]);

  return (
    owner && {
      form,
      owner,
      customFields,
      inputs: inputsOf(form, customFields),
      query: new URLSearchParams(utm as Record<string, string>).toString(),
    }
  );
}
