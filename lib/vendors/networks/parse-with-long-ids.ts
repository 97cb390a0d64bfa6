type Source = { readonly source?: string };

/**
 * Parses JSON and returns long integers as strings. Networks send ids of up to 19 digits as
 * numbers, which would lose precision.
 *
 * @throws SyntaxError if the text is not JSON, or is nested thousands of levels deep.
 */
export function parseWithLongIds(text: string): unknown {
  try {
    return JSON.parse(text, (_key, value: unknown, { source }: Source = {}) =>
      typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)
        ? (source ?? value)
        : value,
    );
  } catch (cause) {
    throw cause instanceof RangeError
      ? new SyntaxError('The JSON is nested too deeply', { cause })
      : cause;
  }
}

/** Returns `undefined` if the text is not JSON. */
export function tryParseWithLongIds(text: string): unknown {
  try {
    return parseWithLongIds(text);
  } catch {
    return undefined;
  }
}
