import type { Costs } from './costs.ts';

/** An error that the table reports to its caller, with DynamoDB's name. */
export class TableError extends Error {
  /** Additional fields of the response. */
  readonly details: Readonly<Record<string, unknown>>;
  /** Failed conditions cost as much as writes. */
  readonly costs: Costs;

  constructor(
    name: string,
    message: string,
    details: Readonly<Record<string, unknown>> = {},
    costs: Costs = () => [],
  ) {
    super(message);
    this.name = name;
    this.details = details;
    this.costs = costs;
  }
}

/** Returns the status and body that report an error in DynamoDB's protocol. */
export function errorAnswer({ name, message, details }: TableError) {
  return {
    status: name === 'InternalServerError' ? 500 : 400,
    content: { __type: `com.amazonaws.dynamodb.v20120810#${name}`, message, ...details },
  };
}

export function invalid(message: string): TableError {
  return new TableError('ValidationException', message);
}

/** Returns the error for JSON whose types don't match the API. */
export function malformed(message: string): TableError {
  return new TableError('SerializationException', message);
}

/**
 * Returns the error for a DynamoDB feature that this table does not support. Before a new feature
 * can pass a test, add it here and compare it with DynamoDB Local.
 */
export function unsupported(what: string): TableError {
  return new TableError(
    'NotSupportedByTheDevelopmentTable',
    `The development table does not support ${what}. Add it in scripts/dev/table.`,
  );
}
