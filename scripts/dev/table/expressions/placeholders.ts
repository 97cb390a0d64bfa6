import { type AttributeValue, checkedValue } from '../attribute-value.ts';
import { invalid, TableError } from '../table-error.ts';
import type { Path } from './operands.ts';

export type PlaceholderFields = {
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>> | undefined;
  readonly ExpressionAttributeValues?: Readonly<Record<string, AttributeValue>> | undefined;
};

/** The names and values of a request's placeholders. */
export class Placeholders {
  private readonly names: ReadonlyMap<string, string>;
  private readonly values: ReadonlyMap<string, AttributeValue>;
  private readonly used = new Set<string>();

  constructor(request: PlaceholderFields, hasExpression: boolean) {
    this.names = readPlaceholders(request, 'ExpressionAttributeNames', '#', hasExpression);
    const values = readPlaceholders(request, 'ExpressionAttributeValues', ':', hasExpression);
    this.values = new Map(
      [...values].map(([name, value]) => [name, checkedPlaceholder(name, value)]),
    );
  }

  /** Replaces the placeholders of a path by attribute names. */
  resolve(path: Path, expressionName: string): Path {
    return path.map((part) => (part.startsWith('#') ? this.nameOf(part, expressionName) : part));
  }

  nameOf(placeholder: string, expressionName: string): string {
    const name = this.names.get(placeholder);
    if (name === undefined) {
      throw invalid(
        `Invalid ${expressionName}: An expression attribute name used in the document path is not defined; attribute name: ${placeholder}`,
      );
    }
    this.used.add(placeholder);

    return name;
  }

  valueOf(placeholder: string, expressionName: string): AttributeValue {
    const value = this.values.get(placeholder);
    if (value === undefined) {
      throw invalid(
        `Invalid ${expressionName}: An expression attribute value used in expression is not defined; attribute value: ${placeholder}`,
      );
    }
    this.used.add(placeholder);

    return value;
  }

  /** Call it after all expressions of the request were resolved. */
  requireAllUsed(): void {
    const unused = (all: ReadonlyMap<string, unknown>) =>
      [...all.keys()].filter((placeholder) => !this.used.has(placeholder)).join(', ');
    const [names, values] = [unused(this.names), unused(this.values)];
    if (names !== '') {
      throw invalid(
        `Value provided in ExpressionAttributeNames unused in expressions: keys: {${names}}`,
      );
    }
    if (values !== '') {
      throw invalid(
        `Value provided in ExpressionAttributeValues unused in expressions: keys: {${values}}`,
      );
    }
  }
}

function readPlaceholders<Field extends keyof PlaceholderFields>(
  request: PlaceholderFields,
  field: Field,
  mark: string,
  hasExpression: boolean,
): ReadonlyMap<string, NonNullable<PlaceholderFields[Field]>[string]> {
  const given = request[field];
  if (given === undefined) {
    return new Map();
  }
  if (!hasExpression) {
    throw invalid(`${field} can only be specified when using expressions`);
  }
  const entries = Object.entries(given);
  if (entries.length === 0) {
    throw invalid(`${field} must not be empty`);
  }
  const [wrong] = entries.find(([name]) => !name.startsWith(mark)) ?? [];
  if (wrong !== undefined) {
    throw invalid(`${field} contains invalid key: Syntax error; key: "${wrong}"`);
  }

  return new Map(entries) as ReadonlyMap<string, NonNullable<PlaceholderFields[Field]>[string]>;
}

function checkedPlaceholder(name: string, value: AttributeValue): AttributeValue {
  try {
    return checkedValue(value);
  } catch (error) {
    if (error instanceof TableError && error.name === 'ValidationException') {
      throw invalid(
        `ExpressionAttributeValues contains invalid value: ${error.message} for key ${name}`,
      );
    }
    throw error;
  }
}
