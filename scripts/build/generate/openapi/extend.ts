import {
  componentName,
  componentReference,
  type JsonSchema,
  type SchemaComponents,
} from './json-schema.ts';

type Base = { readonly name: string; readonly schema: JsonSchema };

/** Smaller objects are repeated, because a reference would be harder to read than their fields. */
const fewestFields = 4;

/**
 * Writes objects that have all fields of another component as an extension of it: `allOf` with a
 * reference and the remaining fields. Only components that other schemas reference are extended.
 */
export function withExtensions(components: SchemaComponents): SchemaComponents {
  const references = JSON.stringify(components).matchAll(/"\$ref":"([^"]+)"/g);
  const names = new Set([...references].map(([, reference = '']) => componentName(reference)));
  const bases = [...names]
    .flatMap((name) => asBase(name, components[name]))
    .toSorted((one, other) => fieldsOf(other.schema).length - fieldsOf(one.schema).length);

  return Object.fromEntries(
    Object.entries(components).map(([name, schema]) => [
      name,
      extended(
        schema,
        bases.filter((base) => base.name !== name),
      ),
    ]),
  );
}

function asBase(name: string, schema: JsonSchema | undefined): readonly Base[] {
  const isPlain = schema?.type === 'object' && !schema.allOf && !('additionalProperties' in schema);

  return isPlain && fieldsOf(schema).length >= fewestFields ? [{ name, schema }] : [];
}

function fieldsOf({ properties = {} }: JsonSchema): readonly string[] {
  return Object.keys(properties);
}

function extended<Value>(value: Value, bases: readonly Base[]): Value {
  if (typeof value !== 'object' || value === null) {
    return value;
  }
  if (Array.isArray(value)) {
    return value.map((element) => extended(element, bases)) as Value;
  }
  const own = withoutBase(value as JsonSchema, bases) ?? value;

  return Object.fromEntries(
    Object.entries(own).map(([key, member]) => [key, extended(member, bases)]),
  ) as Value;
}

function withoutBase(schema: JsonSchema, bases: readonly Base[]): JsonSchema | undefined {
  const base = bases.find((candidate) => repeats(schema, candidate.schema));
  if (!base) {
    return undefined;
  }
  const { allOf = [], type, properties = {}, required = [], ...others } = schema;
  const { properties: inherited = {}, required: inheritedRequired = [] } = base.schema;
  const added = Object.entries(properties).filter(([name]) => !Object.hasOwn(inherited, name));
  const addedRequired = required.filter((name) => !inheritedRequired.includes(name));

  return {
    allOf: [...allOf, componentReference(base.name)],
    ...(added.length > 0 && { type, properties: Object.fromEntries(added) }),
    ...(addedRequired.length > 0 && { required: addedRequired }),
    ...others,
  };
}

function repeats(schema: JsonSchema, base: JsonSchema): boolean {
  const { type, properties, required = [] } = schema;

  return (
    type === 'object' &&
    !('additionalProperties' in schema) &&
    Object.entries(base.properties ?? {}).every(
      ([name, field]) => JSON.stringify(properties?.[name]) === JSON.stringify(field),
    ) &&
    (base.required ?? []).every((name) => required.includes(name))
  );
}
