import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { dayMs } from '#lib/platform/clock.ts';

type Query = {
  readonly ExpressionAttributeValues: Readonly<Record<':from' | ':to', { readonly S: string }>>;
  readonly ExclusiveStartKey?: { readonly sk: { readonly S: string } };
  readonly Limit?: number;
};

/** About a megabyte of entries, the size at which DynamoDB ends a page. */
const maxPage = 3_600;
const begin = Date.UTC(2026, 0, 1);

/**
 * Starts a server that replaces the table and returns the given number of entries for a year of
 * usage. Storing a million entries in a local table would take most of an hour.
 */
export async function startLongLedger(
  entries: number,
): Promise<{ readonly endpoint: string; readonly close: () => Promise<void> }> {
  const server = createServer((request, response) => {
    void answer(request, response, entries);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;

  return { endpoint: `http://127.0.0.1:${port}`, close: () => close(server) };
}

function close(server: Server): Promise<void> {
  server.closeAllConnections();

  return new Promise((resolve) => server.close(() => resolve()));
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  entries: number,
): Promise<void> {
  const query = (await json(request)) as Query;
  response.setHeader('content-type', 'application/x-amz-json-1.0');
  response.end(JSON.stringify(pageOf(query, entries)));
}

/** Newest first, in the order that reports read. */
function pageOf(query: Query, entries: number) {
  const { ':from': from, ':to': to } = query.ExpressionAttributeValues;
  const after = query.ExclusiveStartKey?.sk.S;
  const limit = Math.min(maxPage, query.Limit ?? maxPage);
  const isUsage = from.S.startsWith('usage#');
  const newest = isUsage ? indexBelow(after ?? to.S, entries) : -1;
  const numbers = Array.from({ length: Math.min(limit, newest + 1) }, (_, step) => newest - step);
  const last = numbers.at(-1) ?? 0;

  return {
    Items: numbers.map((number) => ({
      id: { S: idOf(number, entries) },
      credits: { N: '-1' },
      description: { S: 'Automatic reply' },
    })),
    Count: numbers.length,
    ScannedCount: numbers.length,
    ...(last > 0
      ? { LastEvaluatedKey: { pk: { S: 'ledger' }, sk: { S: `usage#${idOf(last, entries)}` } } }
      : {}),
  };
}

/** Returns the newest entry whose key is below this one. */
function indexBelow(key: string, entries: number): number {
  let [low, high] = [-1, entries - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (`usage#${idOf(middle, entries)}` < key) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }

  return low;
}

/** Returns a version 7 UUID. */
function idOf(number: number, entries: number): string {
  const at = begin + Math.floor((number * 365 * dayMs) / entries);
  const time = at.toString(16).padStart(12, '0');

  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${number.toString(16).padStart(12, '0')}`;
}
