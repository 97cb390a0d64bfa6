import { leadKeys } from '#lib/platform/db/keys/leads.ts';
import { get } from '#lib/platform/db/read.ts';
import type { AppliesTo, CustomFieldType } from '#schemas/custom-fields.ts';

export type CustomField = {
  readonly id: string;
  readonly key: string;
  readonly label: string;
  readonly type: CustomFieldType;
  /** Empty unless the type is SELECT. */
  readonly options: readonly string[];
  readonly appliesTo: AppliesTo;
  readonly createdAt: string;
  readonly updatedAt: string;
};

/** All fields of an organization, in one item, so that the next reader sees every change. */
export type FieldList = { readonly fields: readonly CustomField[]; readonly version: number };

const none: FieldList = { fields: [], version: 0 };

export async function readFields(organizationId: string): Promise<FieldList> {
  return (await get<FieldList>(leadKeys.customFields(organizationId))) ?? none;
}

/** Returns all fields, oldest first. */
export async function listFields(organizationId: string): Promise<readonly CustomField[]> {
  return (await readFields(organizationId)).fields;
}
