import type { EndingFault } from './faults.ts';
import { type Answer, jsonAnswer, type Request } from './wire.ts';

const namespace = 'com.amazonaws.dynamodb.v20120810#';

/** The answer for a fault in DynamoDB's own format, or undefined if there is none. */
export function faultAnswer(fault: EndingFault, request: Request): Answer | undefined {
  switch (fault.kind) {
    case 'conflict':
      return conflictAnswer(request, fault.reasons);
    case 'throttle':
      return refusal(
        fault.error ?? 'ProvisionedThroughputExceededException',
        'The level of configured provisioned throughput for the table was exceeded.',
      );
    case 'error':
      return jsonAnswer(500, {
        __type: `${namespace}InternalServerError`,
        message: 'The request processing has failed because of an unknown error.',
      });
    case 'refuse':
      return refusal(fault.error, `The request was rejected with ${fault.error}.`);
    case 'disconnect':
    case 'kill':
      return undefined;
  }
}

function conflictAnswer(request: Request, reasons: readonly string[] | undefined): Answer {
  const { TransactItems: entries } = request.body;
  if (entries === undefined) {
    return refusal('TransactionConflictException', 'Transaction is ongoing for the item');
  }
  const codes = entries.map((_, index) =>
    reasons === undefined && index === 0 ? 'TransactionConflict' : (reasons?.[index] ?? 'None'),
  );
  const message = `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes.join(', ')}]`;

  return jsonAnswer(400, {
    __type: `${namespace}TransactionCanceledException`,
    Message: message,
    CancellationReasons: codes.map((Code) =>
      Code === 'None' ? { Code } : { Code, Message: `The item failed with ${Code}.` },
    ),
  });
}

function refusal(name: string, message: string): Answer {
  return jsonAnswer(400, { __type: `${namespace}${name}`, message });
}
