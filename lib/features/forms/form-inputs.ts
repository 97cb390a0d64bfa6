import type { CustomField } from '#lib/features/leads/custom-field.ts';
import { maxLength } from '#schemas/common.ts';
import { type AppliesTo, type CustomFieldType, maxCustomText } from '#schemas/custom-fields.ts';
import { maxMessage, maxPhone } from '#schemas/forms.ts';
import { type Form, shownFields } from './forms.ts';

export type InputKind = 'NAME' | 'EMAIL' | 'PHONE' | 'COMPANY' | 'MESSAGE' | CustomFieldType;

/** An input that a visitor may fill in. */
export type FormInput = {
  readonly key: string;
  readonly label: string;
  readonly kind: InputKind;
  readonly maxLength: number;
  /** Of a SELECT. */
  readonly options: readonly string[];
  /** Set for a custom field. */
  readonly appliesTo?: AppliesTo;
};

const builtIn: Readonly<Record<string, FormInput>> = {
  name: input('name', 'Name', 'NAME', maxLength.name),
  email: input('email', 'Email', 'EMAIL', maxLength.email),
  phone: input('phone', 'Phone', 'PHONE', maxPhone),
  company: input('company', 'Company', 'COMPANY', maxLength.name),
  message: input('message', 'Message', 'MESSAGE', maxMessage),
};

function input(key: string, label: string, kind: InputKind, length: number): FormInput {
  return { key, label, kind, maxLength: length, options: [] };
}

/** Returns the inputs of a form, in order, without deleted custom fields. */
export function inputsOf(form: Form, customFields: readonly CustomField[]): readonly FormInput[] {
  const byKey = new Map(customFields.map((field) => [field.key, field]));

  return shownFields(form, customFields).flatMap((key) => {
    const custom = byKey.get(key);
    const known = custom ? customInput(custom) : builtIn[key];

    return known ? [known] : [];
  });
}

function customInput({ key, label, type, options, appliesTo }: CustomField): FormInput {
  return { key, label, kind: type, maxLength: maxCustomText, options, appliesTo };
}

/**
 * The name of a text input that is hidden from people. Only programs that fill in everything give
 * it a value.
 */
export const honeypotName = 'website-url';

/** Identifies one opened page, so that a form that is sent twice counts once. */
export const submissionIdName = 'submission-id';

export const consentName = 'consent';
