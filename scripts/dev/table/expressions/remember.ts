const maxEntries = 2_000;

/** Caches the results of a parser, because the service sends the same expressions repeatedly. */
export function remember<T>(
  parse: (text: string, expressionName: string) => T,
): (text: string, expressionName: string) => T {
  const known = new Map<string, T>();

  return (text, expressionName) => {
    const name = `${expressionName} ${text}`;
    const parsed = known.get(name) ?? parse(text, expressionName);
    if (known.size >= maxEntries) {
      known.clear();
    }
    known.set(name, parsed);

    return parsed;
  };
}
