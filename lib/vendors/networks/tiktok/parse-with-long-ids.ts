type Source = { readonly source?: string };

/**
 * Parses JSON and returns long integers as strings. TikTok sends 19-digit ids as numbers, which
 * would lose precision.
 *
 * @throws SyntaxError if the text is not JSON.
 */
export function parseWithLongIds(text: string): unknown {
  return JSON.parse(text, (_key, value: unknown, { source }: Source = {}) =>
    typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)
      ? (source ?? value)
      : value,
  );
}
