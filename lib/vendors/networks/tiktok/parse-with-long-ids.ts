type Source = { readonly source?: string };

/**
 * Parses JSON with its long numbers as texts: TikTok sends ids of 19 digits as numbers, which would
 * lose their last digits.
 *
 * @throws SyntaxError for what is no JSON.
 */
export function parseWithLongIds(text: string): unknown {
  return JSON.parse(text, (_key, value: unknown, { source }: Source = {}) =>
    typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value)
      ? (source ?? value)
      : value,
  );
}
