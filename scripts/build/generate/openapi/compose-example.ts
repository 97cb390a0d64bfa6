import {
  componentName,
  formatExamples,
  type JsonSchema,
  type SchemaComponents,
} from './json-schema.ts';

/** Paths of schemas without an example. */
export type MissingExamples = string[];

type Source = {
  readonly components: SchemaComponents;
  readonly missing: MissingExamples;
};

/**
 * Returns the schema's own example, or composes one from its parts. If neither is possible, adds
 * `path` to `source.missing`.
 */
export function composeExample(schema: JsonSchema, source: Source, path: string): unknown {
  if (schema.examples) {
    return schema.examples[0];
  }
  if ('const' in schema) {
    return schema.const;
  }
  if (schema.$ref) {
    return referenced(schema.$ref, source, path);
  }
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (alternatives) {
    return firstComplete(alternatives, source, path);
  }
  if (schema.allOf) {
    const { allOf, ...own } = schema;

    return Object.assign({}, ...[...allOf, own].map((part) => composeExample(part, source, path)));
  }
  if (schema.default !== undefined) {
    return schema.default;
  }
  if (schema.enum) {
    return schema.enum[0];
  }

  return ofType(schema, source, path);
}

function referenced(reference: string, source: Source, path: string): unknown {
  const name = componentName(reference);
  const { [name]: schema, ...others } = source.components;
  if (!schema) {
    return missing(source, path);
  }

  // Removes the component itself to prevent infinite recursion.
  return composeExample(schema, { ...source, components: others }, path);
}

function firstComplete(schemas: readonly JsonSchema[], source: Source, path: string): unknown {
  for (const schema of schemas) {
    const attempt = { ...source, missing: [] };
    const example = composeExample(schema, attempt, path);
    if (attempt.missing.length === 0) {
      return example;
    }
  }

  return missing(source, path);
}

function ofType(schema: JsonSchema, source: Source, path: string): unknown {
  const given = typeof schema.type === 'object' ? schema.type[0] : schema.type;
  const type = given ?? (schema.properties && 'object');
  switch (type) {
    case 'object':
      return ofObject(schema, source, path);
    case 'array':
      return ofArray(schema, source, path);
    case 'boolean':
      return true;
    case 'integer':
    case 'number':
      return schema.minimum ?? 0;
    case 'null':
      return null;
    case 'string':
      return formatExamples[schema.format ?? ''] ?? missing(source, path);
    default:
      return missing(source, path);
  }
}

function ofObject(schema: JsonSchema, source: Source, path: string): unknown {
  return Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([name, property]) => [
      name,
      composeExample(property, source, `${path}.${name}`),
    ]),
  );
}

function ofArray(schema: JsonSchema, source: Source, path: string): unknown {
  if (schema.prefixItems) {
    return schema.prefixItems.map((item, index) =>
      composeExample(item, source, `${path}.${index}`),
    );
  }

  return schema.items ? [composeExample(schema.items, source, `${path}.0`)] : [];
}

function missing(source: Source, path: string): null {
  source.missing.push(path);

  return null;
}
