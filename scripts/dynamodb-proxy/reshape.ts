import type { Fault } from './faults.ts';
import type { KeysAndAttributes, RequestBody } from './wire.ts';

type Output = Readonly<Record<string, unknown>>;

/** The request to send to the database, and a function that completes its output for the caller. */
export type Reshaped = {
  readonly body: RequestBody;
  readonly complete: (output: Output) => Output;
};

type Entries = NonNullable<RequestBody['RequestItems']>;
type Entry = Entries[string];

/** Shortens pages and batches according to the faults. Returns undefined if no fault does so. */
export function reshape(body: RequestBody, faults: readonly Fault[]): Reshaped | undefined {
  const limits = faults.flatMap((fault) => (fault.kind === 'page' ? [fault.size] : []));
  const left = faults.flatMap((fault) => (fault.kind === 'unprocessed' ? [fault.count] : []));
  if (limits.length > 0) {
    const Limit = Math.min(...limits, body.Limit ?? Number.POSITIVE_INFINITY);

    return { body: { ...body, Limit }, complete: (output) => output };
  }
  if (left.length > 0 && body.RequestItems !== undefined) {
    return leaveUnprocessed(body, body.RequestItems, Math.max(...left));
  }

  return undefined;
}

function leaveUnprocessed(body: RequestBody, entries: Entries, count: number): Reshaped {
  const total = Object.values(entries).reduce((sum, entry) => sum + entryCount(entry), 0);
  // DynamoDB returns an error instead of leaving a whole batch unprocessed, so one entry is always
  // processed.
  const [done, left] = splitEntries(entries, total - Math.min(count, total - 1));

  return {
    body: { ...body, RequestItems: done },
    complete: (output) => ({
      ...output,
      [output.Responses === undefined ? 'UnprocessedItems' : 'UnprocessedKeys']: left,
    }),
  };
}

function splitEntries(entries: Entries, doneCount: number): readonly [Entries, Entries] {
  const done: Record<string, Entry> = {};
  const left: Record<string, Entry> = {};
  let remaining = doneCount;
  for (const [table, entry] of Object.entries(entries)) {
    const taken = Math.min(remaining, entryCount(entry));
    remaining -= taken;
    if (taken > 0) {
      done[table] = sliceEntry(entry, 0, taken);
    }
    if (taken < entryCount(entry)) {
      left[table] = sliceEntry(entry, taken);
    }
  }

  return [done, left];
}

function isRead(entry: Entry): entry is KeysAndAttributes {
  return 'Keys' in entry;
}

function entryCount(entry: Entry): number {
  return isRead(entry) ? entry.Keys.length : entry.length;
}

function sliceEntry(entry: Entry, from: number, to?: number): Entry {
  return isRead(entry) ? { ...entry, Keys: entry.Keys.slice(from, to) } : entry.slice(from, to);
}
