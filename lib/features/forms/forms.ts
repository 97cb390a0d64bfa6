import { type CustomField, listFields } from '#lib/features/leads/custom-field.ts';
import { planPipelineUse } from '#lib/features/leads/pipelines/pipeline.ts';
import { newShortCode } from '#lib/features/short-links/short-codes.ts';
import { compact } from '#lib/platform/compact.ts';
import { config } from '#lib/platform/config.ts';
import { leadKeys, leadRanges } from '#lib/platform/db/keys/leads.ts';
import { organizationKeys } from '#lib/platform/db/keys/organizations.ts';
import { get, query } from '#lib/platform/db/read.ts';
import { removeMany } from '#lib/platform/db/remove-many.ts';
import { retryWhenOvertaken } from '#lib/platform/db/retry-when-overtaken.ts';
import { create, discard, type ExtraWrites } from '#lib/platform/db/write.ts';
import { rejectProblems } from '#lib/platform/errors/failures.ts';
import { records } from '#lib/platform/records.ts';
import { listRecords, type SmallRecord } from '#lib/platform/small-record.ts';
import type { BodyOf } from '#schemas/contract.ts';
import type * as contracts from '#schemas/forms.ts';
import { isBuiltInField } from '#schemas/forms.ts';
import { readSubmissions } from './form-counters.ts';

export type Form = SmallRecord & {
  readonly pipelineId: string;
  /** Keys, in the order of the page. Keys of deleted custom fields are kept and not shown. */
  readonly fields: readonly string[];
  readonly consentText?: string;
  readonly thankYouText?: string;
  readonly redirectUrl?: string;
  readonly isActive: boolean;
  /** Identifies the form in its public address. */
  readonly formCode: string;
};

const formKind = { resource: 'Form', kind: 'FORM' } as const;

const forms = /* @__PURE__ */ records<Form>(formKind, {
  counter: 'FORMS',
  quota: 'forms',
});

/** A form with data from other records. */
export type ReadForm = {
  readonly form: Form;
  readonly customFields: readonly CustomField[];
  readonly submissions: number;
};

/** Returns a form in the API's format. */
export function presentForm({ form, customFields, submissions }: ReadForm) {
  const { formCode } = form;

  return {
    ...form,
    fields: shownFields(form, customFields),
    code: formCode,
    url: `${config.publicBaseUrl}/f/${formCode}`,
    submissions,
  };
}

/** Returns the keys of the fields that exist. */
export function shownFields({ fields }: Form, customFields: readonly CustomField[]) {
  return fields.filter((key) => isBuiltInField(key) || isKnown(key, customFields));
}

function isKnown(key: string, customFields: readonly CustomField[]): boolean {
  return customFields.some((field) => field.key === key);
}

/** @throws 400 for keys that are neither built in nor custom fields. */
function requireKnownFields(fields: readonly string[], customFields: readonly CustomField[]): void {
  const problems = fields.flatMap((key, index) =>
    isBuiltInField(key) || isKnown(key, customFields)
      ? []
      : [`fields.${index} must be name, email, phone, company, message or a custom field`],
  );
  rejectProblems(problems);
}

/**
 * Retries with a new code in the rare case that the code is already taken.
 *
 * @throws 400 for unknown fields, 404 for an unknown pipeline, 409 for a full quota.
 */
export async function createForm(
  organizationId: string,
  details: BodyOf<typeof contracts.createForm>,
  extraWrites: ExtraWrites<ReadForm>,
): Promise<ReadForm> {
  const customFields = await listFields(organizationId);
  requireKnownFields(details.fields, customFields);

  const fields = { ...compact(details), isActive: details.isActive ?? true };
  const withCounts = (form: Form) => ({ form, customFields, submissions: 0 });
  const form = await retryWhenOvertaken('form', () => {
    const formCode = newShortCode();

    return forms.create(organizationId, { ...fields, formCode } as Form, async (created) => [
      ...(await extraWrites(withCounts(created))),
      create(leadKeys.formCode(formCode), { organizationId, formId: created.id }),
      planPipelineUse(organizationId, created.pipelineId, 1),
    ]);
  });

  return withCounts(form);
}

/** Returns all forms, newest first. */
export async function listForms(organizationId: string): Promise<readonly ReadForm[]> {
  const [found, customFields, submissions] = await Promise.all([
    listRecords<Form>(formKind, organizationId),
    listFields(organizationId),
    readSubmissions(organizationId),
  ]);

  return found.map((form) => ({ form, customFields, submissions: submissions.get(form.id) ?? 0 }));
}

/** @throws 404, also for an unknown pipeline; 400 for unknown fields. */
export async function updateForm(
  organizationId: string,
  formId: string,
  patch: BodyOf<typeof contracts.updateForm>,
): Promise<ReadForm> {
  const [customFields, submissions] = await Promise.all([
    listFields(organizationId),
    readSubmissions(organizationId, formId),
  ]);
  const form = await forms.update(organizationId, formId, patch, {
    check: () => {
      if (patch.fields) {
        requireKnownFields(patch.fields, customFields);
      }
    },
    plan: ({ pipelineId: before }) => {
      const { pipelineId: after = before } = patch;

      return {
        writes:
          after === before
            ? []
            : [
                planPipelineUse(organizationId, after, 1),
                planPipelineUse(organizationId, before, -1),
              ],
      };
    },
  });

  return { form, customFields, submissions: submissions.get(formId) ?? 0 };
}

/** @throws 404 */
export async function deleteForm(organizationId: string, formId: string): Promise<void> {
  await forms.remove(organizationId, formId, ({ formCode, pipelineId }) => [
    discard(leadKeys.formCode(formCode)),
    planPipelineUse(organizationId, pipelineId, -1),
  ]);
  // If this crashes or a submission comes late, the organization's deletion removes the rest.
  await removeMany(await query(leadRanges.formCounters(organizationId, formId)));
}

/** Returns the active form at a public address. */
export async function findFormByCode(code: string): Promise<Form | undefined> {
  const claim = await get<{ organizationId: string; formId: string }>(leadKeys.formCode(code));
  const form =
    claim && (await get<Form>(organizationKeys.record(claim.organizationId, 'FORM', claim.formId)));

  return form?.isActive ? form : undefined;
}
