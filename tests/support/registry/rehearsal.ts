import { epochSeconds } from '#lib/platform/clock.ts';
import { documentClient } from '#lib/platform/db/client.ts';
import type { Contract } from '#schemas/contract.ts';
import type { Answer, Call } from '#tests/support/api.ts';
import { type Item, itemsUnder, removeItems, storeItems } from '#tests/support/table.ts';
import { probe } from './probe.ts';
import { isCounter, shapeOf, shapesOf } from './shape.ts';

type Key = Pick<Item, 'pk' | 'sk'>;

/** What became of an item of the table. Undefined: there is none. */
export type Change = {
  readonly key: Key;
  readonly before: Item | undefined;
  readonly after: Item | undefined;
};

type Query = {
  readonly IndexName?: string;
  readonly ExpressionAttributeValues: Readonly<Record<string, unknown>>;
};

/** What is noted while somebody keeps a record. */
type Notes = {
  /** The items as they were before the first write to them. */
  readonly before: Map<string, Promise<readonly Item[]>>;
  /** Every key that was read, written, or named in a condition. */
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

/** What every call counts, and no test of calls asks for. */
function isOfInterest({ pk }: Key): boolean {
  return !pk.startsWith('RATE#');
}

/** The keys that a command names, wherever they stand in it. */
function keysIn(value: unknown): readonly Key[] {
  if (typeof value !== 'object' || value === null) {
    return [];
  }

  return isKey(value) ? [value].filter(isOfInterest) : Object.values(value).flatMap(keysIn);
}

// Before a write goes out, what it will write over is read.
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

/** Whether a query may have come across the item. Of an index, its tenant says enough. */
function mayMeet(item: Item, { IndexName, ExpressionAttributeValues: values }: Query): boolean {
  if (IndexName) {
    return [item.organizationId, item.duePk].some((value) => Object.values(values).includes(value));
  }
  const { ':pk': pk, ':from': from, ':to': to } = values;

  return item.pk === pk && item.sk >= String(from) && item.sk <= String(to);
}

export type Recorded<Result> = {
  readonly result: Result;
  readonly changes: readonly Change[];
  /** Whether an item could have mattered: the table was asked for it, or for what lies around it. */
  readonly asksFor: (item: Item) => boolean;
};

/** Does something, and tells what it has written, and what it has asked for. */
export async function recorded<Result>(act: () => Promise<Result>): Promise<Recorded<Result>> {
  const kept: Notes = { before: new Map(), named: new Set(), queries: [] };
  notes = kept;
  try {
    const result = await act();
    const asksFor = (item: Item) =>
      kept.named.has(nameOf(item)) || kept.queries.some((query) => mayMeet(item, query));

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

  return Promise.all(
    keys.map(async (key) => {
      const [before] = (await written.get(nameOf(key))) ?? [];

      return { key, before, after: stored.get(nameOf(key)) };
    }),
  );
}

/** Makes the table what it was before these changes. */
export async function takeBack(changes: readonly Change[]): Promise<void> {
  await Promise.all([
    storeItems(changes.flatMap(({ before }) => (before ? [before] : []))),
    removeItems(changes.flatMap(({ key, before }) => (before ? [] : [key]))),
  ]);
}

/** Makes them again, when they have been taken back. */
export function redo(changes: readonly Change[]): Promise<void> {
  return takeBack(changes.map(({ key, before, after }) => ({ key, before: after, after: before })));
}

/** The items as they are when their time is just over, and the table has yet to remove them. */
export function expired(items: readonly Item[]): readonly Item[] {
  return items.map((item) => ({ ...item, expiresAtSeconds: epochSeconds() }));
}

/** What a call did: how it was answered, and what has changed for whoever reads. */
export type Outcome = { readonly answer: string; readonly changes: readonly string[] };

export async function outcomeOf(
  contract: Contract,
  call: Call,
): Promise<Omit<Recorded<unknown>, 'result'> & { readonly outcome: Outcome }> {
  const { result, changes, asksFor } = await recorded(() => probe(contract, call));
  const seen = changes
    .map(({ key, before, after }) => ({ key, before: living(before), after: living(after) }))
    .filter(({ before, after }) => before ?? after);

  return {
    outcome: { answer: essenceOf(contract, result), changes: shapesOf(seen.map(difference)) },
    changes,
    asksFor,
  };
}

/** Figures of the machine, which are others at every moment. */
const measured =
  /\d+\.\d+|(?<="(used|usage|percentage|read|write)":)\d+|(?<="load":)\[[^\]]+\]|(?<=_bytes )\d+/g;

function essenceOf({ area }: Contract, { status, body, cookies, headers }: Answer): string {
  const text = shapeOf({ status, body, cookies: cookies.length, location: headers.location });

  return area === 'health' ? text.replace(measured, '<measured>') : text;
}

function living(item: Item | undefined): Item | undefined {
  return Number(item?.expiresAtSeconds ?? Number.POSITIVE_INFINITY) > epochSeconds()
    ? item
    : undefined;
}

/** What an item has become; of a counter, what was added to it. */
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
