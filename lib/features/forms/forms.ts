import { type CustomField, listFields } from '#lib/features/leads/custom-fields.ts';
import { planPipelineUse } from '#lib/features/leads/pipelines/pipelines.ts';
import { newShortCode } from '#lib/features/short-links/short-codes.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { compact, definedFields } from '#lib/platform/compact.ts';
import { config } from '#lib/platform/config.ts';
import { changesSomething } from '#lib/platform/db/changes-something.ts';
import { equals } from '#lib/platform/db/conditions.ts';
import { keys, ranges } from '#lib/platform/db/keys.ts';
import { get, query } from '#lib/platform/db/read.ts';
import { removeMany } from '#lib/platform/db/remove-many.ts';
import { retryWhenOvertaken } from '#lib/platform/db/retry-when-overtaken.ts';
import {
  type Alongside,
  applied,
  change,
  create,
  discard,
  remove,
  write,
} from '#lib/platform/db/write.ts';
import { badRequest, requireFound } from '#lib/platform/errors/failures.ts';
import { newId } from '#lib/platform/ids.ts';
import { planQuotaRelease, planQuotaUse } from '#lib/platform/quotas/quotas.ts';
import type { BodyOf } from '#schemas/contract.ts';
import type * as contracts from '#schemas/forms.ts';
import { isBuiltInField } from '#schemas/forms.ts';
import { readSubmissions } from './form-counters.ts';

export type Form = {
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
  readonly pipelineId: string;
  /** Keys, in the order of the page. Those of deleted custom fields stay and are not shown. */
  readonly fields: readonly string[];
  readonly consentText?: string;
  readonly thankYouText?: string;
  readonly redirectUrl?: string;
  readonly isActive: boolean;
  /** Identifies the form in its public address. */
  readonly formCode: string;
  /** Incremented by every change, for optimistic locking. */
  readonly version: number;
  readonly createdAt: string;
  readonly updatedAt: string;
};

const counter = 'FORMS';

/** A form with what is read from elsewhere. */
export type ReadForm = {
  readonly form: Form;
  readonly customFields: readonly CustomField[];
  readonly submissions: number;
};

/** Returns a form as the API presents it. */
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
  if (problems.length > 0) {
    throw badRequest(...problems);
  }
}

/**
 * Retries with a new code in the rare case that the code is already taken.
 *
 * @throws 400 for unknown fields, 404 for an unknown pipeline, 409 for a full quota.
 */
export async function createForm(
  organizationId: string,
  details: BodyOf<typeof contracts.createForm>,
  alongside: Alongside<ReadForm>,
): Promise<ReadForm> {
  const customFields = await listFields(organizationId);
  requireKnownFields(details.fields, customFields);

  return retryWhenOvertaken('form', async () => {
    const now = timestamp();
    const form = {
      ...compact(details),
      isActive: details.isActive ?? true,
      id: newId(),
      organizationId,
      formCode: newShortCode(),
      version: 1,
      createdAt: now,
      updatedAt: now,
    } as Form;
    const { id, formCode, pipelineId } = form;
    const created = { form, customFields, submissions: 0 };
    await write(
      ...(await alongside(created)),
      create(keys.formCode(formCode), { organizationId, formId: id }),
      create(keys.form(organizationId, id), form),
      planPipelineUse(organizationId, pipelineId, 1),
      planQuotaUse(keys.counter(organizationId, counter), 'forms'),
    );

    return created;
  });
}

/** Returns all forms, newest first. */
export async function listForms(organizationId: string): Promise<readonly ReadForm[]> {
  const [forms, customFields, submissions] = await Promise.all([
    query<Form>(ranges.forms(organizationId), { newestFirst: true }),
    listFields(organizationId),
    readSubmissions(organizationId),
  ]);

  return forms.map((form) => ({ form, customFields, submissions: submissions.get(form.id) ?? 0 }));
}

async function requireForm(organizationId: string, formId: string): Promise<Form> {
  return requireFound(await get<Form>(keys.form(organizationId, formId)), 'Form');
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
  const form = await retryWhenOvertaken('form', async () => {
    const before = await requireForm(organizationId, formId);
    if (patch.fields) {
      requireKnownFields(patch.fields, customFields);
    }
    if (!changesSomething(before, patch)) {
      return before;
    }

    return applyPatch(before, patch);
  });

  return { form, customFields, submissions: submissions.get(formId) ?? 0 };
}

async function applyPatch(before: Form, patch: BodyOf<typeof contracts.updateForm>): Promise<Form> {
  const { organizationId, id, version } = before;
  const set = { ...definedFields(patch), version: version + 1, updatedAt: timestamp() };
  const after = applied(before, set);
  const hasMoved = after.pipelineId !== before.pipelineId;
  await write(
    change(keys.form(organizationId, id), { set, when: equals('version', version) }),
    ...(hasMoved
      ? [
          planPipelineUse(organizationId, after.pipelineId, 1),
          planPipelineUse(organizationId, before.pipelineId, -1),
        ]
      : []),
  );

  return after;
}

/** @throws 404 */
export async function deleteForm(organizationId: string, formId: string): Promise<void> {
  await retryWhenOvertaken('form', async () => {
    const { formCode, pipelineId, version } = await requireForm(organizationId, formId);
    await write(
      remove(keys.form(organizationId, formId), { when: equals('version', version) }),
      discard(keys.formCode(formCode)),
      planPipelineUse(organizationId, pipelineId, -1),
      planQuotaRelease(keys.counter(organizationId, counter)),
    );
  });
  // Leftovers of a crash or late submission are removed with the organization.
  await removeMany(await query(ranges.formCounters(organizationId, formId)));
}

/** Returns the active form at a public address. */
export async function findFormByCode(code: string): Promise<Form | undefined> {
  const claim = await get<{ organizationId: string; formId: string }>(keys.formCode(code));
  const form = claim && (await get<Form>(keys.form(claim.organizationId, claim.formId)));

  return form?.isActive ? form : undefined;
}
