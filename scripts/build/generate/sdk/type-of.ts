import { componentName, type JsonSchema } from '#scripts/build/generate/openapi/json-schema.ts';

const primitives: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  null: 'null',
};

/** Returns the TypeScript type of a schema. Components are types with the same name. */
export function typeOf(schema: JsonSchema): string {
  if (schema.$ref) {
    return componentName(schema.$ref);
  }
  const { allOf = [], anyOf, oneOf, ...own } = schema;
  if (allOf.length > 0) {
    const parts = allOf.map(typeOf);

    return [...parts, ...(own.properties ? [objectOf(own)] : [])].join(' & ');
  }
  const alternatives = anyOf ?? oneOf;
  if (alternatives) {
    return unionOf(alternatives.map(typeOf));
  }
  if ('const' in schema) {
    return JSON.stringify(schema.const);
  }
  if (schema.enum) {
    return unionOf(schema.enum.map((value) => JSON.stringify(value)));
  }
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? []);

  return types.length === 0 ? 'unknown' : unionOf(types.map((type) => ofType(type, schema)));
}

function unionOf(types: readonly string[]): string {
  return [...new Set(types)].join(' | ');
}

function ofType(type: string, schema: JsonSchema): string {
  if (type === 'object') {
    return objectOf(schema);
  }
  if (type === 'array') {
    return schema.items ? `ReadonlyArray<${typeOf(schema.items)}>` : 'readonly unknown[]';
  }

  return primitives[type] ?? 'unknown';
}

function objectOf({ properties, required = [], additionalProperties }: JsonSchema): string {
  if (!properties) {
    const values =
      typeof additionalProperties === 'object' ? typeOf(additionalProperties) : 'unknown';

    return `{ readonly [name: string]: ${values} }`;
  }
  const fields = Object.entries(properties).map(([name, schema]) =>
    fieldOf(name, schema, required.includes(name)),
  );

  return fields.length === 0 ? '{}' : `{ ${fields.join(' ')} }`;
}

/** A field of an object type, with its description. */
export function fieldOf(name: string, schema: JsonSchema, isRequired: boolean): string {
  const key = /^\w+$/.test(name) ? name : JSON.stringify(name);
  const comment = schema.description ? `/** ${schema.description.replaceAll('*/', '* /')} */ ` : '';

  return `${comment}readonly ${key}${isRequired ? '' : '?'}: ${typeOf(schema)}${isRequired ? '' : ' | undefined'};`;
}
