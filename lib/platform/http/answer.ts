import type { HttpAnswer } from './request.ts';

export const jsonContentType = 'application/json; charset=utf-8';

export function jsonAnswer(
  statusCode: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): HttpAnswer {
  return {
    statusCode,
    headers: { 'content-type': jsonContentType, ...headers },
    body: JSON.stringify(body),
  };
}

/**
 * Lambda limits a response to 6 MB of JSON, which contains the body as an escaped string. The rest
 * of the limit is for headers.
 */
export const maxBodyBytes = 6_000_000;

/** Reserved for the parts of the body around the measured items. */
const reservedBytes = 500_000;

/** Returns the number of bytes of a string in the JSON response. */
export function sizeInAnswer(body: string): number {
  return Buffer.byteLength(JSON.stringify(body));
}

/** Returns the first items, as many as fit into one response. */
export function firstThatFit<Item>(items: readonly Item[]): readonly Item[] {
  return lastThatFit(items.toReversed()).toReversed();
}

/** Returns the last items, as many as fit into one response. */
export function lastThatFit<Item>(items: readonly Item[]): readonly Item[] {
  let room = maxBodyBytes - reservedBytes;
  const first = items.findLastIndex((item) => {
    room -= sizeInAnswer(JSON.stringify(item));

    return room < 0;
  });

  return items.slice(first + 1);
}
