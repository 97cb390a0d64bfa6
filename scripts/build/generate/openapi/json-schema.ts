import * as z from 'zod';
import { documentedSchema } from '#schemas/zod.ts';

/** The part of JSON Schema 2020-12 that contracts use. */
export type JsonSchema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly prefixItems?: readonly JsonSchema[];
  readonly additionalProperties?: JsonSchema | boolean;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly format?: string;
  readonly description?: string;
  readonly [keyword: string]: unknown;
};

/** Schemas with an id, under `components.schemas`. */
export type SchemaComponents = Readonly<Record<string, JsonSchema>>;

/** `input`: what a caller may send. `output`: what a caller receives. */
export type Direction = 'input' | 'output';

export type ConvertedSchema = {
  readonly schema: JsonSchema;
  readonly components: SchemaComponents;
};

/** Examples for schemas without one, as readers and `composeExample` use them. */
export const formatExamples: Readonly<Record<string, string>> = {
  'date-time': '2026-01-15T09:30:00.000Z',
  date: '2026-01-15',
  time: '09:30:00',
  email: 'ada@example.com',
  uri: 'https://example.com',
  uuid: '0192f0c1-7b5a-7c3e-9d2f-3a5b8c1d4e6f',
};

const componentPrefix = '#/components/schemas/';
const definitionPrefix = '#/$defs/';

/** The name of the component that a reference points to. */
export function componentName(reference: string): string {
  return reference.slice(componentPrefix.length);
}

/** A reference to a component. */
export function componentReference(name: string): JsonSchema {
  return { $ref: `${componentPrefix}${name}` };
}

/** Converts a zod schema to JSON Schema. Schemas with `.meta({ id })` become components. */
export function convertSchema(schema: z.ZodType, direction: Direction): ConvertedSchema {
  const shown: Record<string, JsonSchema> = {};
  const converted = z.toJSONSchema(schema, {
    io: direction,
    target: 'draft-2020-12',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      replaceContent(jsonSchema, tidy(jsonSchema as JsonSchema, direction));
      const documented = documentedSchema(zodSchema);
      if (documented) {
        const { additionalProperties: _, ...own } = jsonSchema as JsonSchema;
        // Converted as input, because the values are returned as they were sent.
        const { schema: replacement, components } = convertSchema(documented, 'input');
        replaceContent(jsonSchema, { ...own, ...replacement });
        Object.assign(shown, components);
      }
    },
  });
  const {
    $schema: _,
    $defs: components = {},
    ...root
  } = JSON.parse(
    JSON.stringify(converted).replaceAll(`"${definitionPrefix}`, `"${componentPrefix}`),
  ) as JsonSchema & { readonly $defs?: SchemaComponents };

  return { schema: root, components: { ...components, ...shown } };
}

function replaceContent(target: object, content: JsonSchema): void {
  for (const keyword of Object.keys(target)) {
    Reflect.deleteProperty(target, keyword);
  }
  Object.assign(target, content);
}

/**
 * Simplifies the schema for readers without changing its meaning. Responses allow additional
 * properties because later versions may add fields. Subschemas are already simplified.
 */
function tidy(schema: JsonSchema, direction: Direction): JsonSchema {
  const { example, ...rest } = Object.fromEntries(
    Object.entries(schema).filter(
      ([keyword, value]) => !isNoise(schema, keyword, value, direction),
    ),
  );

  return mergeNull(example === undefined ? rest : { ...rest, examples: [example] });
}

function isNoise(
  schema: JsonSchema,
  keyword: string,
  value: unknown,
  direction: Direction,
): boolean {
  switch (keyword) {
    case 'additionalProperties':
      return value === false && direction === 'output';
    case 'default':
      return value === null || direction === 'output';
    case 'example':
      return isComposed(schema, direction);
    case 'maximum':
      return value === Number.MAX_SAFE_INTEGER;
    case 'minimum':
      return value === Number.MIN_SAFE_INTEGER;
    case 'minLength':
      return value === 0;
    case 'pattern':
      return schema.format !== undefined;
    case 'propertyNames':
      return JSON.stringify(value) === '{"type":"string"}';
    default:
      return false;
  }
}

/** In a response, any value of these types is an equally good example. */
const plainTypes: ReadonlySet<string> = new Set(['boolean', 'integer', 'number']);

/**
 * True if readers would compose the same example, or an equally good one. They never choose null.
 */
function isComposed(
  { type, format = '', enum: values, example }: JsonSchema,
  direction: Direction,
): boolean {
  return (
    example !== null &&
    (Object.hasOwn(formatExamples, format) ||
      values?.[0] === example ||
      (direction === 'output' && [type].flat().some((one) => plainTypes.has(String(one)))))
  );
}

/** Writes `anyOf: [{ type: string }, { type: null }]` as `type: [string, null]`. */
function mergeNull(schema: JsonSchema): JsonSchema {
  const { anyOf, ...outer } = schema;
  const [inner, nothing, ...more] = anyOf ?? [];
  if (!inner || nothing?.type !== 'null' || more.length > 0 || typeof inner.type !== 'string') {
    return schema;
  }

  return {
    ...inner,
    ...outer,
    type: [inner.type, 'null'],
    ...(inner.enum && { enum: [...inner.enum, null] }),
  };
}
