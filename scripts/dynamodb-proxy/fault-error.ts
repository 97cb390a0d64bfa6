import { TableError } from '#scripts/dev/table/table-error.ts';
import type { EndingFault } from './faults.ts';
import type { RequestBody } from './wire.ts';

/** Returns the error that a fault causes, or undefined if the caller gets no response. */
export function faultError(fault: EndingFault, request: RequestBody): TableError | undefined {
  switch (fault.kind) {
    case 'conflict':
      return conflictError(request, fault.reasons);
    case 'throttle':
      return new TableError(
        fault.error ?? 'ProvisionedThroughputExceededException',
        'The level of configured provisioned throughput for the table was exceeded.',
      );
    case 'error':
      return new TableError(
        'InternalServerError',
        'The request processing has failed because of an unknown error.',
      );
    case 'refuse':
      return new TableError(fault.error, `The request was rejected with ${fault.error}.`);
    case 'disconnect':
    case 'kill':
      return undefined;
  }
}

function conflictError(
  { TransactItems: entries }: RequestBody,
  reasons: readonly string[] | undefined,
): TableError {
  if (entries === undefined) {
    return new TableError('TransactionConflictException', 'Transaction is ongoing for the item');
  }
  const codes = entries.map((_, index) =>
    reasons === undefined && index === 0 ? 'TransactionConflict' : (reasons?.[index] ?? 'None'),
  );

  return new TableError(
    'TransactionCanceledException',
    `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes.join(', ')}]`,
    {
      CancellationReasons: codes.map((Code) =>
        Code === 'None' ? { Code } : { Code, Message: `The item failed with ${Code}.` },
      ),
    },
  );
}
