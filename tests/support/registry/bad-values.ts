import type { JsonSchema } from '#scripts/build/generate/openapi/json-schema.ts';
import type { Field } from '#scripts/fixtures/fields.ts';

/** An invalid value for a field, and the error message after the field's path. */
export type BadValue = { readonly name: string; readonly value: unknown; readonly says: string };

const nulInside = 'ab\u0000';
const loneSurrogate = 'ab\ud800';

const formats: Readonly<Record<string, string>> = {
  uuid: 'must be a valid UUID',
  email: 'must be an email',
  uri: 'must be a URL address',
  date: 'must be a valid ISO 8601 date string',
  'date-time': 'must be a valid ISO 8601 date string',
};

/** Text in these formats has no other rule, so every error is about the format. */
const wholeFormats: ReadonlySet<string> = new Set(['uuid', 'date', 'date-time']);

function wholeFormat({ format = '' }: JsonSchema): string | undefined {
  return wholeFormats.has(format) ? formats[format] : undefined;
}

function numberOf(schema: JsonSchema, keyword: string): number | undefined {
  const value = schema[keyword];

  return typeof value === 'number' ? value : undefined;
}

/** One JSON value of each type. A field accepts some of them and must reject the others. */
const anyType = { text: 'text', number: 42, flag: true, list: [], object: {} } as const;

function wrongTypes(says: string, taken: ReadonlyArray<keyof typeof anyType>): readonly BadValue[] {
  return Object.entries(anyType)
    .filter(([name]) => !(taken as readonly string[]).includes(name))
    .map(([name, value]) => ({ name: `of the wrong type: ${name}`, value, says }));
}

function lengths(schema: JsonSchema): readonly BadValue[] {
  const max = numberOf(schema, 'maxLength');
  const min = numberOf(schema, 'minLength') ?? 0;
  const tooLong = wholeFormat(schema) ?? `must be shorter than or equal to ${max} characters`;
  const tooShort = min === 1 ? 'should not be empty' : `must be at least ${min} characters`;

  return [
    ...(max === undefined ? [] : [{ name: 'too long', value: 'x'.repeat(max + 1), says: tooLong }]),
    ...(min > 0 ? [{ name: 'too short', value: 'x'.repeat(min - 1), says: tooShort }] : []),
  ];
}

/** Text that cannot be stored. */
function brokenText(schema: JsonSchema): readonly BadValue[] {
  const says = wholeFormat(schema) ?? 'must not contain NUL characters or lone surrogates';
  const filler = 'x'.repeat(Math.max(0, (numberOf(schema, 'minLength') ?? 0) - 3));

  return [
    { name: 'with a NUL character', value: `${nulInside}${filler}`, says },
    { name: 'with a lone surrogate', value: `${loneSurrogate}${filler}`, says },
  ];
}

function malformed({ format = '' }: JsonSchema): readonly BadValue[] {
  const says = formats[format];

  return says ? [{ name: 'malformed', value: 'not of that form', says }] : [];
}

function badTexts(schema: JsonSchema): readonly BadValue[] {
  return [
    ...wrongTypes('must be a string', ['text']),
    ...lengths(schema),
    ...brokenText(schema),
    ...malformed(schema),
  ];
}

function badChoices({ enum: values = [] }: JsonSchema): readonly BadValue[] {
  const allowed = values.filter((value) => value !== null).join(', ');
  const says = `must be one of the following values: ${allowed}`;

  return [
    ...wrongTypes(says, []),
    { name: 'empty', value: '', says },
    ...values
      .map(String)
      .filter((value) => value.toLowerCase() !== value.toUpperCase())
      .slice(0, 1)
      .map((value) => ({ name: 'in a different letter case', value: inOtherCase(value), says })),
  ];
}

function inOtherCase(value: string): string {
  return value === value.toLowerCase() ? value.toUpperCase() : value.toLowerCase();
}

function badNumbers(schema: JsonSchema, isInteger: boolean): readonly BadValue[] {
  const min = numberOf(schema, 'minimum');
  const max = numberOf(schema, 'maximum');

  return [
    ...wrongTypes('must be a number', ['number']),
    ...(isInteger ? [{ name: 'a fraction', value: 1.5, says: 'must be an integer' }] : []),
    ...(min === undefined
      ? []
      : [{ name: 'too small', value: min - 1, says: `must not be less than ${min}` }]),
    ...(max === undefined
      ? []
      : [{ name: 'too big', value: max + 1, says: `must not be greater than ${max}` }]),
  ];
}

function badLists(schema: JsonSchema, element: unknown): readonly BadValue[] {
  const min = numberOf(schema, 'minItems') ?? 0;
  const max = numberOf(schema, 'maxItems');
  const tooMany = `must contain no more than ${max} elements`;

  return [
    ...wrongTypes('must be an array', ['list']),
    ...(min > 0
      ? [{ name: 'empty', value: [], says: `must contain at least ${min} elements` }]
      : []),
    ...(max === undefined
      ? []
      : [{ name: 'too many', value: Array(max + 1).fill(element), says: tooMany }]),
  ];
}

function badOfKind({ kind, schema }: Field, example: unknown): readonly BadValue[] {
  switch (kind) {
    case 'string':
      return badTexts(schema);
    case 'enum':
      return badChoices(schema);
    case 'integer':
    case 'number':
      return badNumbers(schema, kind === 'integer');
    case 'boolean':
      return wrongTypes('must be a boolean', ['flag']);
    case 'array':
      return badLists(schema, (example as readonly unknown[] | undefined)?.[0]);
    case 'scalar':
      return wrongTypes('must be a string or an integer', ['text', 'number']);
    default:
      return wrongTypes('must be an object', ['object']);
  }
}

/** Returns the invalid values for a body field. `example` is a valid one. */
export function badValues(field: Field, example: unknown): readonly BadValue[] {
  const bad = badOfKind(field, example);
  const [ofAnotherType] = bad;
  const says = ofAnotherType?.says ?? '';

  return [
    ...(field.isRequired ? [{ name: 'missing', value: undefined, says: 'is required' }] : []),
    ...(field.isNullable ? [] : [{ name: 'null', value: null, says }]),
    ...bad,
  ];
}

const noInteger = ['10abc', '', ' 1', '1.5', '1e9', '0x10', 'NaN', '-1', '1,2', '١'] as const;

/** List elements in a query are separated by commas. */
function tooManyOf(schema: JsonSchema): string {
  const [example] = schema.examples as readonly unknown[];
  const [element = ''] = String(example).split(',');

  return Array(Number(schema.maxItems) + 1)
    .fill(element)
    .join(',');
}

/** Returns the invalid values for a query field. A repeated parameter arrives as `1,2`. */
export function badQueryValues(field: Field): readonly BadValue[] {
  const { kind, schema } = field;
  const texts = badOfKind(field, undefined).filter(({ value }) => typeof value === 'string');
  const says = 'must ';
  switch (kind) {
    case 'string':
      return texts;
    case 'enum':
      return badChoices(schema).filter(({ value }) => typeof value === 'string');
    case 'boolean':
      return ['yes', '1', '', 'TRUE'].map((value) => ({ name: `"${value}"`, value, says }));
    case 'integer':
      return [
        ...noInteger,
        String(Number(schema.minimum) - 1),
        String(Number(schema.maximum) + 1),
      ].map((value) => ({ name: `"${value}"`, value, says }));
    case 'array':
      return [{ name: 'too many', value: tooManyOf(schema), says }];
    default:
      throw new Error(`A query has a field of kind ${kind}: teach bad-values.ts`);
  }
}
