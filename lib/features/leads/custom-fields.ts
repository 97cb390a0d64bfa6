import { timestamp } from '#lib/platform/clock.ts';
import { definedFields } from '#lib/platform/compact.ts';
import { changesSomething } from '#lib/platform/db/changes-something.ts';
import { absent, equals } from '#lib/platform/db/conditions.ts';
import { leadKeys } from '#lib/platform/db/keys/leads.ts';
import { retryWhenOvertaken } from '#lib/platform/db/retry-when-overtaken.ts';
import { applied, change, type ExtraWrites, noExtraWrites, write } from '#lib/platform/db/write.ts';
import { apiError, notFound, rejectProblems } from '#lib/platform/errors/failures.ts';
import { newId } from '#lib/platform/ids.ts';
import { quotaExceeded, quotaLimit } from '#lib/platform/quotas/quotas.ts';
import type { BodyOf } from '#schemas/contract.ts';
import type * as contracts from '#schemas/custom-fields.ts';
import type { CustomFieldType } from '#schemas/custom-fields.ts';
import { type CustomField, type FieldList, readFields } from './custom-field.ts';

async function writeFields(
  organizationId: string,
  { version }: FieldList,
  fields: readonly CustomField[],
  extraWrites: ExtraWrites<void> = noExtraWrites,
): Promise<void> {
  await write(
    ...(await extraWrites()),
    change(leadKeys.customFields(organizationId), {
      set: { fields, version: version + 1 },
      when: version === 0 ? absent('version') : equals('version', version),
      orCreate: true,
    }),
  );
}

export function presentField({ options, ...field }: CustomField) {
  return { ...field, options: options.length > 0 ? options : null };
}

type TypeAndOptions = {
  readonly type?: CustomFieldType | undefined;
  readonly options?: readonly string[] | null | undefined;
};

/** Returns the problems of options that do not match the type. */
export function optionProblems({ type, options }: TypeAndOptions): readonly string[] {
  if (type === 'SELECT') {
    return options ? [] : ['options must contain at least 1 item for a SELECT'];
  }

  return type && options ? [`options must be absent for a ${type}`] : [];
}

/** @throws 409 if the key exists or the quota is exceeded. */
export async function createField(
  organizationId: string,
  { options, ...given }: BodyOf<typeof contracts.createCustomField>,
  extraWrites: ExtraWrites<CustomField>,
): Promise<CustomField> {
  const now = timestamp();
  const field = { ...given, id: newId(), options: options ?? [], createdAt: now, updatedAt: now };

  return retryWhenOvertaken('custom fields', async () => {
    const list = await readFields(organizationId);
    if (list.fields.some(({ key }) => key === field.key)) {
      throw apiError('CUSTOM_FIELD_EXISTS', 'Custom field already exists with this key');
    }
    if (list.fields.length >= quotaLimit('customFields')) {
      throw quotaExceeded('customFields');
    }
    await writeFields(organizationId, list, [...list.fields, field], () => extraWrites(field));

    return field;
  });
}

/** @throws 404; 400 for options of a field that is not a SELECT. */
export function updateField(
  organizationId: string,
  fieldId: string,
  { label, options }: BodyOf<typeof contracts.updateCustomField>,
): Promise<CustomField> {
  return retryWhenOvertaken('custom fields', async () => {
    const list = await readFields(organizationId);
    const before = requireField(list, fieldId);
    const { type } = before;
    rejectProblems(options === undefined ? [] : optionProblems({ type, options }));
    const set = definedFields({ label, options: options ?? undefined });
    if (!changesSomething(before, set)) {
      return before;
    }
    const after = applied(before, { ...set, updatedAt: timestamp() });
    const fields = list.fields.map((field) => (field.id === fieldId ? after : field));
    await writeFields(organizationId, list, fields);

    return after;
  });
}

/** Deletes a field. Its values stay in the records, where nothing reads them. @throws 404 */
export async function deleteField(organizationId: string, fieldId: string): Promise<void> {
  await retryWhenOvertaken('custom fields', async () => {
    const list = await readFields(organizationId);
    requireField(list, fieldId);
    const fields = list.fields.filter(({ id }) => id !== fieldId);
    await writeFields(organizationId, list, fields);
  });
}

function requireField({ fields }: FieldList, fieldId: string): CustomField {
  const field = fields.find(({ id }) => id === fieldId);
  if (!field) {
    throw notFound('Custom field');
  }

  return field;
}
