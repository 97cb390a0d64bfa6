/** Placeholders that the service fills in by itself. */
const builtIn: readonly string[] = [
  'companyName',
  'industry',
  'products',
  'services',
  'tone',
  'style',
  'expertise',
  'language',
  'customerName',
  'platform',
  'currentDate',
];

/** Returns the placeholders for which agents and campaigns must provide a value. */
export function ownVariablesOf(text: string): readonly string[] {
  const names = [...text.matchAll(/\{\{\s*([A-Za-z_][A-Za-z0-9_]*)\s*\}\}/g)].map(
    ([, name = '']) => name,
  );

  return [...new Set(names)].filter((name) => !builtIn.includes(name));
}
