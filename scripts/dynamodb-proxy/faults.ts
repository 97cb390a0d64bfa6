/** The time of the fault: before or after the request takes effect. */
export type Moment = 'before' | 'after';

/** A fault of one request. */
export type Fault =
  /**
   * A conflict with another transaction. `reasons` replaces the cancellation reasons of a
   * transaction.
   */
  | { readonly kind: 'conflict'; readonly when: Moment; readonly reasons?: readonly string[] }
  /** Rejected before any effect because of throttling. */
  | {
      readonly kind: 'throttle';
      readonly error?: 'ProvisionedThroughputExceededException' | 'ThrottlingException';
    }
  /** Status 500. */
  | { readonly kind: 'error'; readonly when: Moment }
  /** Any DynamoDB error, by its name. */
  | { readonly kind: 'refuse'; readonly when: Moment; readonly error: string }
  /** The connection breaks without a response. */
  | { readonly kind: 'disconnect'; readonly when: Moment }
  /** Delays the request or its response by this time, or until `until` settles. */
  | {
      readonly kind: 'delay';
      readonly when: Moment;
      readonly delayMs: number;
      readonly until?: Promise<unknown>;
    }
  /**
   * The caller crashes: a process id receives SIGKILL, a function is called. There is no response.
   */
  | {
      readonly kind: 'kill';
      readonly when: Moment;
      readonly victim: number | (() => void | Promise<void>);
    }
  /** A batch leaves this many of its last entries unprocessed, but never all of them. */
  | { readonly kind: 'unprocessed'; readonly count: number }
  /** A query or scan evaluates at most this many items per page. */
  | { readonly kind: 'page'; readonly size: number };

/** A fault that replaces the real response. */
export type EndingFault = Extract<
  Fault,
  { readonly kind: 'conflict' | 'throttle' | 'error' | 'refuse' | 'disconnect' | 'kill' }
>;

const singleWrites = ['PutItem', 'UpdateItem', 'DeleteItem'];
const conflicting = [...singleWrites, 'TransactWriteItems'];
const dataOperations = [
  ...conflicting,
  'GetItem',
  'BatchGetItem',
  'BatchWriteItem',
  'Query',
  'Scan',
];

/**
 * True if DynamoDB could cause this fault for the operation. For example, plain reads never
 * conflict.
 */
export function canHappenTo(fault: Fault, operation: string): boolean {
  switch (fault.kind) {
    case 'conflict':
      return conflicting.includes(operation);
    case 'unprocessed':
      return operation === 'BatchGetItem' || operation === 'BatchWriteItem';
    case 'page':
      return operation === 'Query' || operation === 'Scan';
    default:
      return dataOperations.includes(operation);
  }
}

/** Returns when a fault that replaces the response occurs. */
export function endingMoment(fault: EndingFault): Moment {
  return fault.kind === 'throttle' ? 'before' : fault.when;
}

export function isEndingFault(fault: Fault): fault is EndingFault {
  return !['delay', 'unprocessed', 'page'].includes(fault.kind);
}
