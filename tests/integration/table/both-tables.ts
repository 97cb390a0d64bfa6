import { isDeepStrictEqual } from 'node:util';
import type { Item } from '#scripts/dev/table/attribute-value.ts';
import { createDatabase, type Database } from '#scripts/dev/table/database.ts';
import { normalizeNumber } from '#scripts/dev/table/decimal.ts';
import type { Answered } from '#scripts/dev/table/operation.ts';
import { errorAnswer, TableError } from '#scripts/dev/table/table-error.ts';
import { corrected } from './known-differences.ts';

type Content = Readonly<Record<string, unknown>>;

/** One request, with the responses of the development table and of DynamoDB Local. */
export type Exchange = {
  readonly operation: string;
  readonly request: Content;
  readonly own: Answer;
  readonly judged: Answer;
};

export type Answer = {
  /** The name of the error, or undefined for a success. */
  readonly error: string | undefined;
  readonly message: string | undefined;
  /** The other fields, without the consumed capacity. */
  readonly fields: Content;
  readonly units: number | undefined;
};

export type BothTables = {
  /** Performs a request on both tables, and returns the development table's response. */
  readonly perform: (operation: string, request: object) => Promise<Answered>;
  /** Returns the differences so far as texts, and clears them. */
  readonly differences: () => readonly string[];
  /** Deletes all items, and returns those of each table, in the same order. */
  readonly clear: (
    TableName: string,
  ) => Promise<{ readonly own: unknown; readonly judged: unknown }>;
};

const authorization =
  'AWS4-HMAC-SHA256 Credential=judge/20260101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0';
const longestReport = 5_000;
const unsupported = 'NotSupportedByTheDevelopmentTable';

/** Compares the development table with DynamoDB Local. */
export function compareTables(endpoint: string): BothTables {
  const database = createDatabase();
  let found: string[] = [];

  async function perform(operation: string, given: object): Promise<Answered> {
    const request = /Table|TimeToLive/.test(operation)
      ? { ...given }
      : { ...given, ReturnConsumedCapacity: 'TOTAL' };
    const attempt = tryOut(database, operation, request);
    const own = readAnswer(attempt.content);
    if (own.error !== unsupported) {
      const judged = readAnswer(await ask(endpoint, operation, request));
      const exchange = { operation, request, own, judged };
      if (!isSame(own, corrected(exchange))) {
        found.push(JSON.stringify(exchange).slice(0, longestReport));
      }
    }
    if (attempt.answered) {
      return attempt.answered;
    }
    throw attempt.error;
  }

  return {
    perform,
    differences: () => {
      const taken = found;
      found = [];

      return taken;
    },
    clear: async (TableName) => {
      const [own, judged] = await Promise.all([
        takeAll(TableName, async (...call) => database.perform(...call).output),
        takeAll(TableName, (...call) => ask(endpoint, ...call)),
      ]);

      return { own, judged };
    },
  };
}

type Ask = (operation: string, request: Content) => Promise<Content>;

/** Each table has a different order of partitions. */
async function takeAll(TableName: string, askTable: Ask): Promise<readonly string[]> {
  const found: Item[] = [];
  let ExclusiveStartKey: unknown;
  do {
    const page = await askTable('Scan', {
      TableName,
      ...(ExclusiveStartKey ? { ExclusiveStartKey } : {}),
    });
    found.push(...(page.Items as readonly Item[]));
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey);
  for (const { pk, sk } of found) {
    await askTable('DeleteItem', { TableName, Key: { pk, sk } });
  }

  return found.map(sortedJson).sort();
}

function isSame(own: Answer, judged: Answer): boolean {
  return (
    own.error === judged.error &&
    own.units === judged.units &&
    isDeepStrictEqual(own.fields, judged.fields)
  );
}

function tryOut({ perform }: Database, operation: string, request: Content) {
  try {
    const answered = perform(operation, request);

    return { answered, content: answered.output };
  } catch (error) {
    if (error instanceof TableError) {
      return { error, content: errorAnswer(error).content };
    }
    throw error;
  }
}

async function ask(endpoint: string, operation: string, request: Content): Promise<Content> {
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: {
      authorization,
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': `DynamoDB_20120810.${operation}`,
    },
    body: JSON.stringify(request),
  });

  return (await response.json()) as Content;
}

function readAnswer(content: Content): Answer {
  const { __type: type, message, Message = message, ConsumedCapacity, ...fields } = content;
  const capacity = [ConsumedCapacity].flat() as readonly { readonly CapacityUnits?: number }[];

  return {
    error: type === undefined ? undefined : String(type).split('#').at(-1),
    message: Message === undefined ? undefined : String(Message),
    fields: withoutNotation(fields) as Content,
    units: capacity[0]?.CapacityUnits,
  };
}

/**
 * Removes details without a meaning: the notation of numbers, the order of sets, and the texts of
 * reasons.
 */
function withoutNotation(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(withoutNotation);
  }
  if (typeof value !== 'object' || value === null) {
    return value;
  }

  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => name !== 'Message')
      .map(([name, child]) => [name, plainly(name, child)]),
  );
}

function plainly(name: string, value: unknown): unknown {
  if (name === 'N' && typeof value === 'string') {
    return normalizeNumber(value);
  }
  if (name === 'Responses') {
    return Object.values(value as object)
      .flat()
      .map(sortedJson)
      .sort();
  }
  if (['SS', 'NS', 'BS'].includes(name) && Array.isArray(value)) {
    return value.map((element) => (name === 'NS' ? normalizeNumber(element) : element)).sort();
  }

  return withoutNotation(value);
}

function sortedJson(value: unknown): string {
  return JSON.stringify(withoutNotation(value), (_name, child) =>
    typeof child === 'object' && child !== null && !Array.isArray(child)
      ? Object.fromEntries(Object.entries(child).sort())
      : child,
  );
}
