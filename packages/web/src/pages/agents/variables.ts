/** What the service fills in by itself. */
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

/** Returns the placeholders of a template that need a value from agents and campaigns. */
export function ownVariablesOf(text: string): readonly string[] {
  const names = [...text.matchAll(/\{\{\s*([A-Za-z_][A-Za-z0-9_]*)\s*\}\}/g)].map(
    ([, name = '']) => name,
  );

  return [...new Set(names)].filter((name) => !builtIn.includes(name));
}
