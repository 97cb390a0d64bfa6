type Node = Readonly<Record<string, unknown>>;

/**
 * Returns the reason why OpenAI rejects a schema in strict mode: every object must list all its
 * properties as required and allow no others.
 *
 * https://developers.openai.com/api/docs/guides/structured-outputs#supported-schemas
 */
export function strictSchemaProblem(
  schema: unknown,
  path: readonly string[] = [],
): string | undefined {
  if (Array.isArray(schema)) {
    return firstOf(
      schema.map((one, index) => () => strictSchemaProblem(one, [...path, String(index)])),
    );
  }
  if (!isNode(schema)) {
    return undefined;
  }
  const { properties, items, anyOf, $defs, definitions } = schema;

  return (
    objectProblem(schema, path) ??
    childProblem(properties, [...path, 'properties']) ??
    strictSchemaProblem(items, [...path, 'items']) ??
    strictSchemaProblem(anyOf, [...path, 'anyOf']) ??
    childProblem($defs, [...path, '$defs']) ??
    childProblem(definitions, [...path, 'definitions'])
  );
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null;
}

function childProblem(children: unknown, path: readonly string[]): string | undefined {
  return isNode(children)
    ? firstOf(
        Object.entries(children).map(
          ([name, child]) =>
            () =>
              strictSchemaProblem(child, [...path, name]),
        ),
      )
    : undefined;
}

function firstOf(problems: ReadonlyArray<() => string | undefined>): string | undefined {
  for (const problem of problems) {
    const found = problem();
    if (found !== undefined) {
      return found;
    }
  }

  return undefined;
}

const unsupported = [
  'allOf',
  'oneOf',
  'not',
  'dependentRequired',
  'dependentSchemas',
  'if',
  'then',
  'else',
];

function objectProblem(schema: Node, path: readonly string[]): string | undefined {
  const context = `In context=(${path.map((name) => `'${name}'`).join(', ')}${path.length === 1 ? ',' : ''})`;
  const keyword = unsupported.find((name) => Object.hasOwn(schema, name));
  if (keyword !== undefined) {
    return `${context}, '${keyword}' is not permitted.`;
  }
  if (![schema.type].flat().includes('object')) {
    return undefined;
  }
  if (schema.additionalProperties !== false) {
    return `${context}, 'additionalProperties' is required to be supplied and to be false.`;
  }
  const names = isNode(schema.properties) ? Object.keys(schema.properties) : [];
  const required: readonly unknown[] = Array.isArray(schema.required) ? schema.required : [];
  const missing = names.find((name) => !required.includes(name));
  if (missing !== undefined) {
    return `${context}, 'required' is required to be supplied and to be an array including every key in properties. Missing '${missing}'.`;
  }
  const extra = required.find((name) => !names.includes(String(name)));

  return extra === undefined
    ? undefined
    : `${context}, 'required' is required to be supplied and to be an array including every key in properties. Extra required key '${extra}' supplied.`;
}
