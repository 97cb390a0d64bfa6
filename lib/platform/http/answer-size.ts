/**
 * Lambda hands over an answer of 6 MB as JSON, in which the body is a string, and fails the call of
 * a function whose answer is larger. The rest is for headers.
 */
export const maxBodyBytes = 6_000_000;

/** What stands in a body beside the items that are measured. */
const reservedBytes = 500_000;

/** The bytes of a body, or of a part of one, as it stands in the function's answer. */
export function sizeInAnswer(body: string): number {
  return Buffer.byteLength(JSON.stringify(body));
}

/** As many of the last items as a JSON body has room for. */
export function lastThatFit<Item>(items: readonly Item[]): readonly Item[] {
  let room = maxBodyBytes - reservedBytes;
  const first = items.findLastIndex((item) => {
    room -= sizeInAnswer(JSON.stringify(item));

    return room < 0;
  });

  return items.slice(first + 1);
}
