import type { Costs } from './costs.ts';

/** An error that the table reports to its caller, by DynamoDB's name. */
export class TableError extends Error {
  /** More fields of the answer. */
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

/** The status and content that report an error in DynamoDB's protocol. */
export function errorAnswer({ name, message, details }: TableError) {
  return {
    status: name === 'InternalServerError' ? 500 : 400,
    content: { __type: `com.amazonaws.dynamodb.v20120810#${name}`, message, ...details },
  };
}

export function invalid(message: string): TableError {
  return new TableError('ValidationException', message);
}

/** For JSON that does not have the types of the API. */
export function malformed(message: string): TableError {
  return new TableError('SerializationException', message);
}

/**
 * For what DynamoDB supports and this table does not. A form that the service has not used before
 * must be added here, and compared with DynamoDB Local, before it can pass a test.
 */
export function unsupported(what: string): TableError {
  return new TableError(
    'NotSupportedByTheDevelopmentTable',
    `The development table does not support ${what}. Add it in scripts/dev/table.`,
  );
}
