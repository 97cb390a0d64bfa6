import * as z from 'zod';

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

const componentPrefix = '#/components/schemas/';
const definitionPrefix = '#/$defs/';

/** The name of the component that a reference points to. */
export function componentName(reference: string): string {
  return reference.slice(componentPrefix.length);
}

/** Converts a zod schema to JSON Schema. Schemas with `.meta({ id })` become components. */
export function convertSchema(schema: z.ZodType, direction: Direction): ConvertedSchema {
  const converted = z.toJSONSchema(schema, {
    io: direction,
    target: 'draft-2020-12',
    unrepresentable: 'any',
    override: ({ jsonSchema }) =>
      replaceContent(jsonSchema, tidy(jsonSchema as JsonSchema, direction)),
  });
  const {
    $schema: _,
    $defs: components = {},
    ...root
  } = JSON.parse(
    JSON.stringify(converted).replaceAll(`"${definitionPrefix}`, `"${componentPrefix}`),
  ) as JsonSchema & { readonly $defs?: SchemaComponents };

  return { schema: root, components };
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
