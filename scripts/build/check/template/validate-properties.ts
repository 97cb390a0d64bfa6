import {
  type Properties,
  type PropertySpec,
  type PropertyType,
  structureProperties,
} from './resource-spec.ts';

type Values = Readonly<Record<string, unknown>>;

/** Finds properties that AWS would reject: unknown, missing, or of the wrong type. */
export function validateProperties(values: Values, specs: Properties, path: string): string[] {
  const missing = Object.entries(specs)
    .filter(([name, { required }]) => required && values[name] === undefined)
    .map(([name]) => `${path}.${name} is missing`);
  const wrong = Object.entries(values).flatMap(([name, value]) => {
    const spec = specs[name];

    return spec
      ? validateProperty(value, spec, `${path}.${name}`)
      : [`${path}.${name} is not a known property`];
  });

  return [...missing, ...wrong];
}

/** AWS still accepts the previous types of a property. */
function validateProperty(value: unknown, spec: PropertySpec, path: string): string[] {
  return firstWithoutProblems([spec.type, ...(spec.previousTypes ?? [])], (type) =>
    validateValue(value, type, path),
  );
}

function validateValue(value: unknown, type: PropertyType, path: string): string[] {
  if (isIntrinsic(value)) {
    return [];
  }
  switch (type.type) {
    case 'array':
      return Array.isArray(value)
        ? value.flatMap((entry, index) => validateValue(entry, type.element, `${path}.${index}`))
        : [`${path} must be a list`];
    case 'map':
      return isObject(value)
        ? Object.entries(value).flatMap(([key, entry]) =>
            validateValue(entry, type.element, `${path}.${key}`),
          )
        : [`${path} must be a map`];
    case 'ref':
      return isObject(value)
        ? validateProperties(value, structureProperties(type), path)
        : [`${path} must be a structure`];
    case 'union':
      return firstWithoutProblems(type.types, (alternative) =>
        validateValue(value, alternative, path),
      );
    default:
      return isOfPrimitiveType(value, type) ? [] : [`${path} must be ${describe(type)}`];
  }
}

function isOfPrimitiveType(value: unknown, type: PropertyType): boolean {
  switch (type.type) {
    case 'string':
      return typeof value === 'string' && (type.allowedValues?.includes(value) ?? true);
    case 'number':
      // CloudFormation converts text. Variables from the shell are always text.
      return typeof value === 'number' || /^-?\d+(?:\.\d+)?$/.test(String(value));
    case 'integer':
      return (
        typeof value === 'number' &&
        Number.isInteger(value) &&
        (type.allowedValues?.includes(value) ?? true)
      );
    case 'boolean':
      return typeof value === 'boolean';
    case 'date-time':
      return typeof value === 'string' && !Number.isNaN(Date.parse(value));
    case 'null':
      return value === null;
    case 'tag':
      return isObject(value) && typeof value.Key === 'string';
    default:
      return true;
  }
}

function describe(type: PropertyType): string {
  return (type.type === 'string' || type.type === 'integer') && type.allowedValues
    ? `one of ${type.allowedValues.join(', ')}`
    : `of type ${type.type}`;
}

/** CloudFormation computes this value, so its type is unknown here. */
function isIntrinsic(value: unknown): boolean {
  if (!isObject(value)) {
    return false;
  }
  const [key = '', ...others] = Object.keys(value);

  return others.length === 0 && (key === 'Ref' || key.startsWith('Fn::'));
}

function isObject(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns no problems if one of the types matches, otherwise the problems with the first type. */
function firstWithoutProblems(
  types: readonly PropertyType[],
  validate: (type: PropertyType) => string[],
): string[] {
  const outcomes = types.map(validate);

  return outcomes.find((problems) => problems.length === 0) ?? outcomes[0] ?? [];
}
