import {
  email,
  id,
  isStorableJson,
  maxLength,
  name,
  optional,
  orNull,
  text,
  timestamp,
  total,
  webUrl,
} from './common.ts';
import { contract, htmlPage, memberOfPath, openToAll } from './contract.ts';
import { maxCustomText } from './custom-fields.ts';
import * as z from './zod.ts';

const formId = id('0192f0c4-9ba3-7d8e-8f90-718293a4b5c6');
const pipelineId = id('0192f0c2-1a2d-7e5f-a061-7c8d9e0f1a2b');

const builtInFields: readonly string[] = ['name', 'email', 'phone', 'company', 'message'];

/** True for fields that every organization has. */
export function isBuiltInField(key: string): boolean {
  return builtInFields.includes(key);
}

/** A lead's source is `form:` plus the name, and has at most 100 characters. */
const maxFormName = maxLength.name - 'form:'.length;
const maxFields = 55;

const formName = name({ max: maxFormName, example: 'Contact us' });
const fieldKey = text({ min: 1, max: 50, example: 'email' })
  .regex(/^[a-z0-9_]+$/, { error: 'must contain only a-z, 0-9 and _' })
  .meta({ example: 'email' });
const fields = z
  .array(fieldKey)
  .max(maxFields)
  .refine((keys) => new Set(keys).size === keys.length, { error: 'must not contain duplicates' })
  .refine((keys) => keys.includes('email'), { error: 'must contain email' })
  .meta({
    example: ['name', 'email', 'message'],
    description:
      'In the order of the page: `name`, `email`, `phone`, `company`, `message` and keys of custom fields. Only the email address must be filled in',
  });
const consentText = name({
  max: maxLength.description,
  example: 'I agree that you use my details to answer me.',
}).meta({ description: 'With it, the page has a box that must be checked' });
const thankYouText = name({
  max: maxLength.description,
  example: 'Thank you. We will answer within a day.',
});

/** The page's content security policy contains the origin, which cannot express other hosts. */
const redirectUrl = webUrl
  .refine((url) => !URL.canParse(url) || /^[\w.-]+$/.test(new URL(url).hostname), {
    error: 'must have a host name of letters, digits, dots and hyphens',
  })
  .meta({ example: 'https://example.com/thanks', description: 'Instead of the thank-you text' });
const isActive = z.boolean().meta({ example: true });

const form = z
  .object({
    id: formId,
    name: formName,
    pipelineId,
    fields: z.array(fieldKey).meta({ description: 'Without deleted custom fields' }),
    consentText: orNull(consentText),
    thankYouText: orNull(thankYouText),
    redirectUrl: orNull(redirectUrl),
    isActive,
    code: z.string().meta({ example: '7hXk2Qp' }),
    url: z.string().meta({ example: 'https://api.example.com/f/7hXk2Qp' }),
    submissions: z.int().min(0).meta({ example: 12 }),
    createdAt: timestamp(),
    updatedAt: timestamp(),
  })
  .meta({ id: 'Form' });

const writes = memberOfPath('MEMBER');

export const createForm = contract({
  operationId: 'createForm',
  method: 'POST',
  path: '/leads/{organization_id}/forms',
  summary: 'Create a form for leads',
  description: 'Returns the `url` of a page on which anybody can fill it in.',
  access: writes,
  body: z.object({
    name: formName,
    pipelineId,
    fields,
    consentText: optional(consentText),
    thankYouText: optional(thankYouText),
    redirectUrl: optional(redirectUrl),
    isActive: optional(isActive),
  }),
  status: 201,
  response: z.object({ form }),
  message: 'Form created successfully',
  errors: ['PIPELINE_NOT_FOUND', 'QUOTA_EXCEEDED'],
});

export const listForms = contract({
  operationId: 'listForms',
  path: '/leads/{organization_id}/forms',
  summary: 'List forms, newest first',
  tool: true,
  access: memberOfPath('VIEWER'),
  response: z.object({ forms: z.array(form), total }),
  message: 'Forms retrieved successfully',
});

export const updateForm = contract({
  operationId: 'updateForm',
  method: 'PATCH',
  path: '/leads/{organization_id}/forms/{form_id}',
  summary: 'Update a form',
  description: 'Its address stays. Null clears a text or the redirect.',
  access: writes,
  body: z.object({
    name: formName.optional(),
    pipelineId: pipelineId.optional(),
    fields: fields.optional(),
    consentText: consentText.nullish(),
    thankYouText: thankYouText.nullish(),
    redirectUrl: redirectUrl.nullish(),
    isActive: isActive.optional(),
  }),
  response: z.object({ form }),
  message: 'Form updated successfully',
  errors: ['FORM_NOT_FOUND', 'PIPELINE_NOT_FOUND'],
});

export const deleteForm = contract({
  operationId: 'deleteForm',
  method: 'DELETE',
  path: '/leads/{organization_id}/forms/{form_id}',
  summary: 'Delete a form permanently',
  description: 'Removes its page. Its leads stay.',
  access: memberOfPath('ADMIN'),
  message: 'Form deleted successfully',
  errors: ['FORM_NOT_FOUND'],
});

const codeInPath = z.object({ code: text({ min: 1, max: 8_192, example: '7hXk2Qp' }) });
const utm = text({ max: maxLength.url, example: 'spring' }).optional();

/** Longer values are shortened, because a visitor did not write them. */
const utmQuery = z.object({
  utm_source: utm,
  utm_medium: utm,
  utm_campaign: utm,
  utm_term: utm,
  utm_content: utm,
});

const aPage = z.object({}).meta({ description: 'An HTML page.', example: '<!doctype html>' });

export const getFormPage = contract({
  operationId: 'getFormPage',
  area: 'leads',
  path: '/f/{code}',
  summary: 'View the page of a form',
  description:
    'Works without JavaScript. Keeps the UTM parameters of its address. Unknown and inactive forms return a 404 page.',
  access: openToAll,
  rateLimit: 'publicPages',
  params: codeInPath,
  query: utmQuery,
  envelope: 'raw',
  contentType: 'text/html; charset=utf-8',
  response: aPage,
  otherResponses: [htmlPage(404, 'The form is unknown or inactive.')],
});

export const submitForm = contract({
  operationId: 'submitForm',
  area: 'leads',
  method: 'POST',
  path: '/f/{code}',
  role: 'sender',
  summary: 'Submit a form',
  description:
    'Accepts field values by key, and `consent`, as `application/x-www-form-urlencoded` or `application/json`. Creates a lead, or adds an activity to the existing lead of the address. Forms get a page, or a 303 to `redirectUrl`; JSON gets 200 with the thank-you text as `message`. Wrong values return a 400 that names them, as a page or as JSON.',
  access: openToAll,
  countedInHandler: ['formSubmissions'],
  params: codeInPath,
  query: utmQuery,
  envelope: 'raw',
  contentType: 'text/html; charset=utf-8',
  response: aPage,
  errors: ['BODY_INVALID', 'FORM_NOT_FOUND', 'BODY_TOO_LARGE', 'CONTENT_TYPE_UNSUPPORTED'],
  otherResponses: [
    {
      status: 200,
      when: 'JSON for JSON requests.',
      contentType: 'application/json; charset=utf-8',
      response: z.object({
        success: z.literal(true),
        message: z.string().meta({ example: 'Thank you. We will get back to you.' }),
      }),
    },
    {
      status: 303,
      when: 'A redirect to `redirectUrl`, for a form.',
      contentType: 'text/html; charset=utf-8',
    },
    htmlPage(400, 'The page names the invalid values, for a form.'),
    htmlPage(404, 'The form is unknown or inactive.'),
    htmlPage(429, 'The page keeps the entered values.'),
    htmlPage(503, 'The page keeps the entered values.'),
  ],
});

const singleLine = z.refine<string>((value) => !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(value), {
  error: 'must be a single line without control characters',
});

export const maxPhone = 50;
export const maxMessage = maxLength.notes;

/** The fields that a visitor may fill in, except custom fields. */
export const formValues = z.object({
  name: optional(name({ example: 'Ada Lovelace' }).check(singleLine)),
  email,
  phone: optional(text({ max: maxPhone, example: '+44 20 7946 0000' }).check(singleLine)),
  company: optional(name({ example: 'Difference Ltd' }).check(singleLine)),
  message: optional(text({ max: maxMessage, example: 'How much is an engine?' })),
});

export type FormValues = z.output<typeof formValues>;

const customText = text({ max: maxCustomText, example: 'Small' }).check(singleLine);

/** Identifies an opened page. */
export const submissionId = id('0192f0c4-9ba4-7e9f-8a01-8293a4b5c6d7');

/** A UTM parameter in the format that leads use. */
export const utmValue = name({ example: 'spring' });

/** A value of a custom field. Its type depends on the field. */
export const formCustomValue = z
  .unknown()
  .refine((value) => isStorableJson(value), { error: 'must be a value that can be stored exactly' })
  .refine((value) => typeof value !== 'string' || customText.safeParse(value).success, {
    error: `must be a single line of at most ${maxCustomText} characters`,
  });
