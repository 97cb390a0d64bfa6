import { type Consistency, indexWriteUnits, readUnits, writeUnits } from './capacity.ts';
import { itemSize } from './item-size.ts';
import { derive, type Images, imageKey, type Target } from './target.ts';
import type { Touch } from './touched-items.ts';
import { type Answer, errorName, type Item, parseAnswer, type Request } from './wire.ts';

/** What one request costs. */
export type Bill = {
  readonly readUnits: number;
  /** Those of the table and of its indexes. */
  readonly writeUnits: number;
  readonly indexWriteUnits: number;
  /** What each item that was written by its key took of the table, without the indexes. */
  readonly itemWrites: readonly ItemWrite[];
};

/** `key` as `pk/sk`. */
export type ItemWrite = { readonly key: string; readonly units: number };

/** What is known of a request that names its items by key. */
export type KeyedExchange = {
  readonly request: Request;
  readonly touches: readonly Touch[];
  readonly before: Images;
  readonly after: Images;
  readonly answer: Answer;
  /** The same transaction was done before: it is not done again, but its items are read. */
  readonly isReplay: boolean;
};

export const freeBill: Bill = {
  readUnits: 0,
  writeUnits: 0,
  indexWriteUnits: 0,
  itemWrites: [],
};
const billedRefusals = ['ConditionalCheckFailedException', 'TransactionCanceledException'];

/** The bill for reads and writes by key. */
export function billKeyed(exchange: KeyedExchange): Bill {
  const error = errorName(exchange.answer);
  const isRefused = error !== undefined;
  if (isRefused && !billedRefusals.includes(error)) {
    return freeBill;
  }
  const isTransaction = exchange.request.operation.startsWith('Transact');
  const bills = exchange.touches.map((touch) => {
    const before = exchange.before.get(imageKey(touch));
    const after = exchange.after.get(imageKey(touch));
    if (touch.action === 'get' || exchange.isReplay) {
      return billRead(touch, after ?? before, isTransaction);
    }

    return isRefused
      ? billRefusedWrite(touch, before, isTransaction)
      : billWrite(touch, before, after, isTransaction);
  });

  return bills.reduce(addBills, freeBill);
}

/** The bill for a query or scan: the sum of what it looked at, whatever it filters out or leaves away. */
export async function billPage(target: Target, request: Request, answer: Answer): Promise<Bill> {
  if (errorName(answer) !== undefined) {
    return freeBill;
  }
  const items = await lookedAt(target, request, answer);
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

/** A write whose condition failed costs as much as the larger of what is stored and what was to be put. */
function billRefusedWrite(touch: Touch, before: Item | undefined, isTransaction: boolean): Bill {
  const tableUnits = writeUnits(Math.max(itemSize(before), itemSize(touch.item)));

  return { ...freeBill, writeUnits: transactionUnits(tableUnits, isTransaction) };
}

function transactionUnits(units: number, isTransaction: boolean): number {
  return isTransaction ? units * 2 : units;
}

/** The whole items that a query or scan evaluated: asked for again if it does not show them. */
async function lookedAt(
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

/** DynamoDB refuses placeholders that no expression uses. */
function keepUsed<T>(
  field: string,
  placeholders: { readonly [name: string]: T } | undefined,
  expression: string,
): { readonly [field: string]: { readonly [name: string]: T } } {
  const words: readonly string[] = expression.match(/[#:]\w+/g) ?? [];
  const used = Object.entries(placeholders ?? {}).filter(([name]) => words.includes(name));

  return used.length === 0 ? {} : { [field]: Object.fromEntries(used) };
}
