/** Whether the caller is failed before its request takes effect, or after. */
export type Moment = 'before' | 'after';

/** What goes wrong with one request. */
export type Fault =
  /** A conflict with another transaction; `reasons` replaces the cancellation reasons of a transaction. */
  | { readonly kind: 'conflict'; readonly when: Moment; readonly reasons?: readonly string[] }
  /** Refused before any effect: too many requests. */
  | {
      readonly kind: 'throttle';
      readonly error?: 'ProvisionedThroughputExceededException' | 'ThrottlingException';
    }
  /** Status 500. */
  | { readonly kind: 'error'; readonly when: Moment }
  /** Any refusal that DynamoDB knows, by its name. */
  | { readonly kind: 'refuse'; readonly when: Moment; readonly error: string }
  /** The connection breaks and no answer arrives. */
  | { readonly kind: 'disconnect'; readonly when: Moment }
  /** The request takes effect (or its answer leaves) that much later, or once `until` is settled. */
  | {
      readonly kind: 'delay';
      readonly when: Moment;
      readonly delayMs: number;
      readonly until?: Promise<unknown>;
    }
  /** The caller dies: a process id gets SIGKILL, a function is called. No answer arrives. */
  | {
      readonly kind: 'kill';
      readonly when: Moment;
      readonly victim: number | (() => void | Promise<void>);
    }
  /** A batch leaves that many of its last entries undone, but never all of them. */
  | { readonly kind: 'unprocessed'; readonly count: number }
  /** A query or scan looks at no more items than that on a page. */
  | { readonly kind: 'page'; readonly size: number };

/** A fault after which the real answer does not reach the caller. */
export type EndingFault = Extract<
  Fault,
  { readonly kind: 'conflict' | 'throttle' | 'error' | 'refuse' | 'disconnect' | 'kill' }
>;

const singleWrites = ['PutItem', 'UpdateItem', 'DeleteItem'];
const transactions = ['TransactWriteItems', 'TransactGetItems'];
const conflicting = [...singleWrites, ...transactions];
const dataOperations = [
  ...conflicting,
  'GetItem',
  'BatchGetItem',
  'BatchWriteItem',
  'Query',
  'Scan',
];

/** Whether DynamoDB could do that to the operation: no plain read ever conflicts. */
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

/** When an ending fault strikes. */
export function endingMoment(fault: EndingFault): Moment {
  return fault.kind === 'throttle' ? 'before' : fault.when;
}

export function isEndingFault(fault: Fault): fault is EndingFault {
  return !['delay', 'unprocessed', 'page'].includes(fault.kind);
}
