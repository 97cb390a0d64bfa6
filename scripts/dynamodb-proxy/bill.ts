import { type Consistency, indexWriteUnits, readUnits, writeUnits } from './capacity.ts';
import { itemSize } from './item-size.ts';
import { derive, type Images, imageKey, type Target } from './target.ts';
import type { Touch } from './touched-items.ts';
import { type Answer, errorName, type Item, parseAnswer, type Request } from './wire.ts';

/** The capacity that one request consumes. */
export type Bill = {
  readonly readUnits: number;
  /** Includes the table and its indexes. */
  readonly writeUnits: number;
  readonly indexWriteUnits: number;
  /** The table's write units per item that was written by key, without the indexes. */
  readonly itemWrites: readonly ItemWrite[];
};

/** `key` as `pk/sk`. */
export type ItemWrite = { readonly key: string; readonly units: number };

/** A request that names its items by key, with the stored items before and after it. */
export type KeyedExchange = {
  readonly request: Request;
  readonly touches: readonly Touch[];
  readonly before: Images;
  readonly after: Images;
  readonly answer: Answer;
  /** True if the same transaction already succeeded. DynamoDB then only reads its items. */
  readonly isReplay: boolean;
};

export const freeBill: Bill = {
  readUnits: 0,
  writeUnits: 0,
  indexWriteUnits: 0,
  itemWrites: [],
};
const billedErrors = ['ConditionalCheckFailedException', 'TransactionCanceledException'];

/** The cost of reads and writes by key. */
export function billKeyed(exchange: KeyedExchange): Bill {
  const error = errorName(exchange.answer);
  const isError = error !== undefined;
  if (isError && !billedErrors.includes(error)) {
    return freeBill;
  }
  const isTransaction = exchange.request.operation.startsWith('Transact');
  const bills = exchange.touches.map((touch) => {
    const before = exchange.before.get(imageKey(touch));
    const after = exchange.after.get(imageKey(touch));
    if (touch.action === 'get' || exchange.isReplay) {
      return billRead(touch, after ?? before, isTransaction);
    }

    return isError
      ? billFailedWrite(touch, before, isTransaction)
      : billWrite(touch, before, after, isTransaction);
  });

  return bills.reduce(addBills, freeBill);
}

/**
 * The cost of a query or scan: all evaluated items, including those that filters or projections
 * remove.
 */
export async function billPage(target: Target, request: Request, answer: Answer): Promise<Bill> {
  if (errorName(answer) !== undefined) {
    return freeBill;
  }
  const items = await evaluatedItems(target, request, answer);
  const bytes = items.reduce((total, item) => total + itemSize(item), 0);
  const units = readUnits(bytes, request.body.ConsistentRead === true ? 'strong' : 'eventual');

  return { ...freeBill, readUnits: units };
}

function addBills(a: Bill, b: Bill): Bill {
  return {
    readUnits: a.readUnits + b.readUnits,
    writeUnits: a.writeUnits + b.writeUnits,
    indexWriteUnits: a.indexWriteUnits + b.indexWriteUnits,
    itemWrites: [...a.itemWrites, ...b.itemWrites],
  };
}

function billRead(touch: Touch, image: Item | undefined, isTransaction: boolean): Bill {
  const plain: Consistency = touch.isConsistent ? 'strong' : 'eventual';
  const units = readUnits(itemSize(image), isTransaction ? 'transactional' : plain);

  return { ...freeBill, readUnits: units };
}

function billWrite(
  touch: Touch,
  before: Item | undefined,
  after: Item | undefined,
  isTransaction: boolean,
): Bill {
  const size = Math.max(itemSize(before), itemSize(after));
  const units = transactionUnits(writeUnits(size), isTransaction);
  const indexUnits = indexWriteUnits(touch.schema, before, after);

  return {
    ...freeBill,
    writeUnits: units + indexUnits,
    indexWriteUnits: indexUnits,
    itemWrites: [{ key: touch.keyText, units }],
  };
}

/** A write with a failed condition costs the larger of the stored item and the new item. */
function billFailedWrite(touch: Touch, before: Item | undefined, isTransaction: boolean): Bill {
  const tableUnits = writeUnits(Math.max(itemSize(before), itemSize(touch.item)));

  return { ...freeBill, writeUnits: transactionUnits(tableUnits, isTransaction) };
}

function transactionUnits(units: number, isTransaction: boolean): number {
  return isTransaction ? units * 2 : units;
}

/**
 * Returns the complete items that a query or scan evaluated. Repeats the request if the answer does
 * not contain them.
 */
async function evaluatedItems(
  target: Target,
  request: Request,
  answer: Answer,
): Promise<readonly Item[]> {
  const { FilterExpression, ProjectionExpression, Select, ...plain } = request.body;
  if ((FilterExpression ?? ProjectionExpression ?? Select) === undefined) {
    return parseAnswer(answer).Items ?? [];
  }
  const condition = plain.KeyConditionExpression ?? '';
  const { ExpressionAttributeNames: names, ExpressionAttributeValues: values, ...rest } = plain;
  const whole = await target.send(
    derive(request, request.operation, {
      ...rest,
      ...keepUsed('ExpressionAttributeNames', names, condition),
      ...keepUsed('ExpressionAttributeValues', values, condition),
    }),
  );

  return parseAnswer(whole).Items ?? [];
}

/** DynamoDB rejects unused placeholders. */
function keepUsed<T>(
  field: string,
  placeholders: { readonly [name: string]: T } | undefined,
  expression: string,
): { readonly [field: string]: { readonly [name: string]: T } } {
  const words: readonly string[] = expression.match(/[#:]\w+/g) ?? [];
  const used = Object.entries(placeholders ?? {}).filter(([name]) => words.includes(name));

  return used.length === 0 ? {} : { [field]: Object.fromEntries(used) };
}
