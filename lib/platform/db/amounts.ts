export type Amounts = Readonly<Record<string, number>>;

/**
 * Returns the non-zero amounts to add to a counter, so that it contains `after` instead of
 * `before`.
 */
export function difference(before: Amounts, after: Amounts): Amounts {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changes = names.map((name) => [name, (after[name] ?? 0) - (before[name] ?? 0)] as const);

  return Object.fromEntries(changes.filter(([, amount]) => amount !== 0));
}
