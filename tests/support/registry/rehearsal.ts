import { isDeepStrictEqual } from 'node:util';
import { epochSeconds } from '#lib/platform/clock.ts';
import { documentClient } from '#lib/platform/db/client.ts';
import { areaOf, type Contract } from '#schemas/contract.ts';
import type { Answer, CallInput } from '#tests/support/api.ts';
import { withoutFaults } from '#tests/support/own-table.ts';
import { type Item, isPassing, itemsUnder, removeItems, storeItems } from '#tests/support/table.ts';
import { probe } from './probe.ts';
import { isCounter, shapeOf, shapesOf } from './shape.ts';

type Key = Pick<Item, 'pk' | 'sk'>;

/** The change of an item. Undefined means that the item does not exist. */
export type Change = {
  readonly key: Key;
  readonly before: Item | undefined;
  readonly after: Item | undefined;
};

type Query = {
  readonly IndexName?: string;
  readonly ExpressionAttributeValues: Readonly<Record<string, unknown>>;
};

/** The reads and writes during an action. */
type Notes = {
  /** The items before the first write to them. */
  readonly before: Map<string, Promise<readonly Item[]>>;
  /** Every key that was read, written, or used in a condition. */
  readonly named: Set<string>;
  readonly queries: Query[];
};

let notes: Notes | undefined;

function nameOf({ pk, sk }: Key): string {
  return JSON.stringify([pk, sk]);
}

function isKey(value: object): value is Key {
  return 'pk' in value && typeof value.pk === 'string' && 'sk' in value;
}

function isRecorded({ pk }: Key): boolean {
  return !isPassing(pk);
}

/** Returns all keys in a command, at any depth. */
function keysIn(value: unknown): readonly Key[] {
  if (typeof value !== 'object' || value === null) {
    return [];
  }

  return isKey(value) ? [value].filter(isRecorded) : Object.values(value).flatMap(keysIn);
}

// Before a write is sent, reads the items that it will replace.
documentClient.middlewareStack.add(
  (next, { commandName = '' }) =>
    async (args) => {
      if (notes) {
        await note(commandName, args.input, notes);
      }

      return next(args);
    },
  { step: 'initialize', priority: 'high', name: 'noteForRehearsal' },
);

async function note(command: string, input: unknown, { before, named, queries }: Notes) {
  if (command === 'QueryCommand') {
    queries.push(input as Query);

    return;
  }
  const keys = keysIn(input);
  for (const key of keys) {
    named.add(nameOf(key));
  }
  if (!/^(Get|BatchGet)/.test(command)) {
    await Promise.all(keys.map((key) => remember(key, before)));
  }
}

function remember(key: Key, before: Notes['before']): Promise<readonly Item[]> | undefined {
  const name = nameOf(key);
  if (!before.has(name)) {
    before.set(name, itemsUnder([key]));
  }

  return before.get(name);
}

/** Returns true if a query could return the item. For an index, the same organization is enough. */
function couldReturn(item: Item, { IndexName, ExpressionAttributeValues: values }: Query): boolean {
  if (IndexName) {
    return [item.organizationId, item.duePk].some((value) => Object.values(values).includes(value));
  }
  const { ':pk': pk, ':from': from, ':to': to } = values;

  return item.pk === pk && item.sk >= String(from) && item.sk <= String(to);
}

export type Recorded<Result> = {
  readonly result: Result;
  readonly changes: readonly Change[];
  /** Returns true if the item could have affected the action, by its key or by a query. */
  readonly asksFor: (item: Item) => boolean;
};

/** Runs an action. Returns its writes and its reads. */
export async function recorded<Result>(act: () => Promise<Result>): Promise<Recorded<Result>> {
  const kept: Notes = { before: new Map(), named: new Set(), queries: [] };
  notes = kept;
  try {
    const result = await act();
    const asksFor = (item: Item) =>
      kept.named.has(nameOf(item)) || kept.queries.some((query) => couldReturn(item, query));

    return { result, asksFor, changes: await changesOf(kept.before) };
  } finally {
    notes = undefined;
  }
}

async function changesOf(written: Notes['before']): Promise<readonly Change[]> {
  const keys = [...written.keys()].map((name): Key => {
    const [pk, sk] = JSON.parse(name);

    return { pk, sk };
  });
  const stored = new Map((await itemsUnder(keys)).map((item) => [nameOf(item), item]));

  const changes = await Promise.all(
    keys.map(async (key) => {
      const [before] = (await written.get(nameOf(key))) ?? [];

      return { key, before, after: stored.get(nameOf(key)) };
    }),
  );

  // A transaction also contains items that it only checks.
  return changes.filter(({ before, after }) => !isDeepStrictEqual(before, after));
}

/** Reverts changes in the table. */
export async function takeBack(changes: readonly Change[]): Promise<void> {
  await Promise.all([
    storeItems(changes.flatMap(({ before }) => (before ? [before] : []))),
    removeItems(changes.flatMap(({ key, before }) => (before ? [] : [key]))),
  ]);
}

/** Reapplies reverted changes. */
export function redo(changes: readonly Change[]): Promise<void> {
  return takeBack(changes.map(({ key, before, after }) => ({ key, before: after, after: before })));
}

/** Returns the items as just expired, but not yet removed by the table. */
export function expired(items: readonly Item[]): readonly Item[] {
  return items.map((item) => ({ ...item, expiresAtSeconds: epochSeconds() }));
}

/** The result of a call: its response and the visible changes. */
export type Outcome = { readonly answer: string; readonly changes: readonly string[] };

export async function outcomeOf(
  contract: Contract,
  call: CallInput,
): Promise<Omit<Recorded<unknown>, 'result'> & { readonly outcome: Outcome }> {
  const { result, changes, asksFor } = await recorded(() =>
    withoutFaults(() => probe(contract, call)),
  );
  const seen = changes
    .map(({ key, before, after }) => ({ key, before: living(before), after: living(after) }))
    .filter(({ before, after }) => before ?? after);

  return {
    outcome: { answer: essenceOf(contract, result), changes: shapesOf(seen.map(difference)) },
    changes,
    asksFor,
  };
}

/** Metrics of the machine, which always differ. */
const measured =
  /\d+\.\d+|(?<="(used|usage|percentage|read|write|bytesIn|bytesOut|packetsIn|packetsOut)":)\d+|(?<="load":)\[[^\]]+\]|(?<=_bytes )\d+/g;

function essenceOf(contract: Contract, { status, body, cookies, headers }: Answer): string {
  // Its text contains counts of this process.
  if (contract.operationId === 'getScrapedMetrics') {
    return String(status);
  }
  const text = shapeOf({ status, body, cookies: cookies.length, location: headers.location });

  return areaOf(contract) === 'health' ? text.replace(measured, '<measured>') : text;
}

function living(item: Item | undefined): Item | undefined {
  return Number(item?.expiresAtSeconds ?? Number.POSITIVE_INFINITY) > epochSeconds()
    ? item
    : undefined;
}

/** Returns the new item. For a counter, returns the added amount. */
function difference({ key, before, after }: Change): Item {
  if (!after) {
    return { ...key, isRemoved: true };
  }
  if (!isCounter(key)) {
    return after;
  }
  const added = Object.entries(after).map(([name, amount]) => [
    name,
    typeof amount === 'number' ? amount - Number(before?.[name] ?? 0) : amount,
  ]);

  return { ...Object.fromEntries(added), ...key };
}
