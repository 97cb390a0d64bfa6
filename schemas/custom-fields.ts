import { id, isStorableJson, name, optional, orNull, text, timestamp, total } from './common.ts';
import { contract, memberOfPath } from './contract.ts';
import * as z from './zod.ts';

const fieldId = id('0192f0c4-8a92-7a7c-9daf-6f7081920314');

const customFieldTypes = ['TEXT', 'NUMBER', 'DATE', 'BOOLEAN', 'SELECT'] as const;
export type CustomFieldType = (typeof customFieldTypes)[number];
const appliesToKinds = ['LEAD', 'CONTACT'] as const;
export type AppliesTo = (typeof appliesToKinds)[number];

/** Inputs of forms that are not custom fields. */
const reservedKeys: readonly string[] = ['name', 'email', 'phone', 'company', 'message', 'consent'];
const maxOptions = 100;
export const maxCustomText = 1_000;

const key = text({ min: 1, max: 50, example: 'budget' })
  .regex(/^[a-z0-9_]+$/, { error: 'must contain only a-z, 0-9 and _' })
  .refine((value) => !reservedKeys.includes(value) && !(value in {}), {
    error: 'is a reserved name',
  })
  .meta({ example: 'budget', description: 'One for leads and contacts together. Never changes' });
const label = name({ example: 'Budget' });
const option = name({ example: 'Small' });
const options = z
  .array(option)
  .min(1)
  .max(maxOptions)
  .refine((values) => new Set(values).size === values.length, {
    error: 'must not contain duplicates',
  })
  .meta({ description: 'Only for SELECT, and required' });
const type = z.enum(customFieldTypes).meta({ example: 'SELECT' });
const appliesTo = z.enum(appliesToKinds).meta({ example: 'LEAD' });

const value = z.union([
  text({ max: maxCustomText, example: 'Small' }),
  z.number().refine(isStorableJson, { error: 'must be a number that can be stored exactly' }),
  z.boolean(),
  z.null(),
]);

/** Custom fields in requests. Their types are checked against the organization's fields. */
export const customFieldValues = z
  .record(z.string(), value)
  .meta({ id: 'NewCustomFieldValues', example: {}, description: 'Values by key' });

/** Custom fields in responses: those that have a value. */
export const customFields = z.record(z.string(), z.unknown()).meta({
  id: 'CustomFieldValues',
  example: { budget: 'Small' },
  description: 'Values by key',
});

const field = z
  .object({
    id: fieldId,
    key: z.string().meta({ example: 'budget' }),
    label: z.string().meta({ example: 'Budget' }),
    type,
    options: orNull(z.array(z.string().meta({ example: 'Small' }))),
    appliesTo,
    createdAt: timestamp(),
    updatedAt: timestamp(),
  })
  .meta({ id: 'CustomField' });

export const createCustomField = contract({
  operationId: 'createCustomField',
  method: 'POST',
  path: '/leads/{organization_id}/fields',
  summary: 'Create a custom field of leads or contacts',
  access: memberOfPath('ADMIN'),
  body: z.object({ key, label, type, options: optional(options), appliesTo }),
  status: 201,
  response: z.object({ field }),
  message: 'Custom field created successfully',
  errors: ['CUSTOM_FIELD_EXISTS', 'QUOTA_EXCEEDED'],
});

export const listCustomFields = contract({
  operationId: 'listCustomFields',
  path: '/leads/{organization_id}/fields',
  summary: 'List custom fields, oldest first',
  access: memberOfPath('VIEWER'),
  response: z.object({ fields: z.array(field), total }),
  message: 'Custom fields retrieved successfully',
});

export const updateCustomField = contract({
  operationId: 'updateCustomField',
  method: 'PATCH',
  path: '/leads/{organization_id}/fields/{field_id}',
  summary: 'Update a custom field',
  description: 'Values that are no longer among the options stay until they are changed.',
  access: memberOfPath('ADMIN'),
  body: z.object({ label: label.optional(), options: optional(options) }),
  bodyExamples: { label: { summary: 'Rename it', fields: ['label'] } },
  response: z.object({ field }),
  message: 'Custom field updated successfully',
  errors: ['CUSTOM_FIELD_NOT_FOUND'],
});

export const deleteCustomField = contract({
  operationId: 'deleteCustomField',
  method: 'DELETE',
  path: '/leads/{organization_id}/fields/{field_id}',
  summary: 'Delete a custom field with its values',
  access: memberOfPath('ADMIN'),
  message: 'Custom field deleted successfully',
  errors: ['CUSTOM_FIELD_NOT_FOUND'],
});
