import type { Fault } from './faults.ts';
import {
  type Answer,
  type AnswerBody,
  jsonAnswer,
  type KeysAndAttributes,
  parseAnswer,
  type Request,
  type RequestBody,
  type WriteRequest,
} from './wire.ts';

/** The request to send to the database, and how to complete its answer for the caller. */
export type Reshaped = {
  readonly request: Request;
  readonly complete: (answer: Answer) => Answer;
};

type Entries = NonNullable<RequestBody['RequestItems']>;
type Entry = Entries[string];

/** Shortens pages and batches according to the faults. */
export function reshape(request: Request, faults: readonly Fault[]): Reshaped {
  const limits = faults.flatMap((fault) => (fault.kind === 'page' ? [fault.size] : []));
  const left = faults.flatMap((fault) => (fault.kind === 'unprocessed' ? [fault.count] : []));
  if (limits.length > 0) {
    const Limit = Math.min(...limits, request.body.Limit ?? Number.POSITIVE_INFINITY);

    return { request: withBody(request, { Limit }), complete: (answer) => answer };
  }
  if (left.length > 0 && request.body.RequestItems !== undefined) {
    return leaveUnprocessed(request, request.body.RequestItems, Math.max(...left));
  }

  return { request, complete: (answer) => answer };
}

function leaveUnprocessed(request: Request, entries: Entries, count: number): Reshaped {
  const total = Object.values(entries).reduce((sum, entry) => sum + entryCount(entry), 0);
  // DynamoDB returns an error instead of leaving a whole batch unprocessed, so one entry is always
  // processed.
  const [done, left] = splitEntries(entries, total - Math.min(count, total - 1));

  return {
    request: withBody(request, { RequestItems: done }),
    complete: (answer) => (answer.status < 400 ? addUnprocessed(answer, left) : answer),
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

function addUnprocessed(answer: Answer, left: Entries): Answer {
  const body = parseAnswer(answer);
  if (body.Responses !== undefined) {
    return jsonAnswer(answer.status, {
      ...body,
      UnprocessedKeys: left,
    } as AnswerBody);
  }

  return jsonAnswer(answer.status, { ...body, UnprocessedItems: left } as AnswerBody);
}

function isRead(entry: Entry): entry is KeysAndAttributes {
  return 'Keys' in entry;
}

function entryCount(entry: Entry): number {
  return isRead(entry) ? entry.Keys.length : entry.length;
}

function sliceEntry(entry: Entry, from: number, to?: number): Entry {
  return isRead(entry)
    ? { ...entry, Keys: entry.Keys.slice(from, to) }
    : (entry.slice(from, to) as readonly WriteRequest[]);
}

function withBody(request: Request, changes: RequestBody): Request {
  return { ...request, body: { ...request.body, ...changes } };
}
