import type * as z from 'zod';
import { composeExample } from '#scripts/build/generate/openapi/compose-example.ts';
import {
  type ConvertedSchema,
  componentName,
  convertSchema,
  type JsonSchema,
  type SchemaComponents,
} from '#scripts/build/generate/openapi/json-schema.ts';
import type { Body } from './fixture.ts';

export type FieldKind =
  | 'string'
  | 'enum'
  | 'integer'
  | 'number'
  | 'boolean'
  | 'array'
  | 'object'
  | 'record';

/** A field of a request, at any depth. */
export type Field = {
  /** Dotted, as in messages. For arrays, the path of the first element. */
  readonly path: string;
  readonly keys: readonly string[];
  readonly kind: FieldKind;
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
  readonly isNullable: boolean;
};

const kinds: ReadonlySet<string> = new Set(['string', 'integer', 'number', 'boolean', 'array']);

function typesOf({ type }: JsonSchema): readonly string[] {
  return typeof type === 'string' ? [type] : (type ?? []);
}

function kindOf(schema: JsonSchema, path: string): FieldKind {
  const [type = '', ...more] = typesOf(schema).filter((name) => name !== 'null');
  if (schema.enum) {
    return 'enum';
  }
  if (type === 'object') {
    return schema.properties ? 'object' : 'record';
  }
  if (!kinds.has(type) || more.length > 0) {
    throw new Error(`The generated tests cannot read the schema of ${path}: teach fields.ts`);
  }

  return type as FieldKind;
}

function resolve(schema: JsonSchema, components: SchemaComponents): JsonSchema {
  return schema.$ref ? (components[componentName(schema.$ref)] ?? {}) : schema;
}

/** Formats such as `email` are part of the output schema. */
function formatOf(output: JsonSchema | undefined): Partial<JsonSchema> {
  return output?.format ? { format: output.format } : {};
}

type Walk = { readonly input: ConvertedSchema; readonly output: ConvertedSchema };

function childrenOf(
  walk: Walk,
  input: JsonSchema,
  output: JsonSchema | undefined,
  keys: readonly string[],
): readonly Field[] {
  const properties = Object.entries(input.properties ?? {}).flatMap(([name, schema]) =>
    walkField(walk, schema, output?.properties?.[name], [...keys, name], {
      isRequired: input.required?.includes(name) ?? false,
    }),
  );
  const items = input.items
    ? walkField(walk, input.items, output?.items, [...keys, '0'], { isRequired: false })
    : [];

  return [...properties, ...items];
}

function walkField(
  walk: Walk,
  inputSchema: JsonSchema,
  outputSchema: JsonSchema | undefined,
  keys: readonly string[],
  { isRequired }: Pick<Field, 'isRequired'>,
): readonly Field[] {
  const path = keys.join('.');
  const output = outputSchema && resolve(outputSchema, walk.output.components);
  const schema = {
    ...formatOf(output),
    ...resolve(inputSchema, walk.input.components),
  };
  const isNullable = typesOf(schema).includes('null');
  const field = { path, keys, kind: kindOf(schema, path), schema, isRequired, isNullable };

  return [field, ...childrenOf(walk, schema, output, keys)];
}

/** Caches the result per schema, because converting a schema takes longer than most calls. */
function onceEach<Result>(read: (schema: z.ZodObject) => Result): (schema: z.ZodObject) => Result {
  const known = new WeakMap<z.ZodObject, { readonly result: Result }>();

  return (schema) => {
    const kept = known.get(schema) ?? { result: read(schema) };
    known.set(schema, kept);

    return kept.result;
  };
}

/** Returns every field of a request schema, outer fields before inner ones. */
export const fieldsOf = onceEach((schema): readonly Field[] => {
  const walk = { input: convertSchema(schema, 'input'), output: convertSchema(schema, 'output') };

  return childrenOf(walk, walk.input.schema, walk.output.schema, []);
});

const knownExampleOf = onceEach((schema): Body => {
  const { schema: root, components } = convertSchema(schema, 'input');
  const missing: string[] = [];
  const example = composeExample(root, { components, missing }, 'body');
  if (missing.length > 0) {
    throw new Error(`There is no example for ${missing.join(', ')}`);
  }

  return example as Body;
});

/** Returns the contract's own example, which contains every field. */
export function exampleOf(schema: z.ZodObject): Body {
  return structuredClone(knownExampleOf(schema));
}

/** Returns a copy with another value in one field. `undefined` removes it. */
export function withValue(body: Body, keys: readonly string[], value: unknown): Body {
  const copy = structuredClone(body) as Record<string, unknown>;
  let parent = copy;
  for (const key of keys.slice(0, -1)) {
    parent[key] ??= {};
    parent = parent[key] as Record<string, unknown>;
  }
  const last = keys.at(-1) ?? '';
  if (value === undefined) {
    delete parent[last];
  } else {
    parent[last] = value;
  }

  return copy;
}

/** Returns the value of a field. */
export function valueAt(body: Body, keys: readonly string[]): unknown {
  return keys.reduce<unknown>(
    (value, key) => (value as Record<string, unknown> | undefined)?.[key],
    body,
  );
}
