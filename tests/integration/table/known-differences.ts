import type { Answer, Exchange } from './both-tables.ts';

type Difference = {
  readonly why: string;
  /** Returns DynamoDB's response, which differs from DynamoDB Local's. */
  readonly correct: (exchange: Exchange) => Partial<Answer> | undefined;
};

/** The eventually consistent read units of a megabyte. */
const unitsOfPage = 128;
const errorsOfItems = [
  'ConditionalCheckFailedException',
  'IdempotentParameterMismatchException',
  'TransactionCanceledException',
];

/** Cases in which the development table behaves like DynamoDB, but DynamoDB Local does not. */
const knownDifferences: readonly Difference[] = [
  {
    why: 'A transaction costs twice the units of its table writes, and the usual ones of its indexes.',
    correct: ({ operation, own }) =>
      operation === 'TransactWriteItems' ? { units: own.units } : undefined,
  },
  {
    why: 'Reading nothing costs as much as reading one block, and deleting nothing as writing one.',
    correct: ({ operation, own }) =>
      ['BatchGetItem', 'BatchWriteItem'].includes(operation) || own.fields.ScannedCount === 0
        ? { units: own.units }
        : undefined,
  },
  {
    why: 'A request is validated as a whole before its token, its conditions and its items.',
    correct: ({ own, judged }) =>
      own.error === 'ValidationException' && errorsOfItems.includes(judged.error ?? '')
        ? own
        : undefined,
  },
  {
    why: 'A table that does not exist is reported first.',
    correct: ({ own, judged }) =>
      own.error === 'ResourceNotFoundException' && judged.error !== undefined ? own : undefined,
  },
  {
    why: 'A page ends after a megabyte, including the items that its filter drops.',
    correct: ({ request, own }) =>
      request.FilterExpression !== undefined && (own.units ?? 0) >= unitsOfPage ? own : undefined,
  },
  {
    why: 'An update that is impossible for the stored item is a reason of a canceled transaction.',
    correct: ({ own, judged }) =>
      own.error === 'TransactionCanceledException' &&
      judged.error === 'ValidationException' &&
      JSON.stringify(own.fields).includes('"ValidationError"')
        ? own
        : undefined,
  },
];
export function corrected(exchange: Exchange): Answer {
  return Object.assign(
    {},
    exchange.judged,
    ...knownDifferences.map(({ correct }) => correct(exchange)),
  );
}
