/** Available in every template without being declared. */
export const builtInVariables = [
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
] as const;

const placeholder = /\{\{\s*([A-Za-z_][A-Za-z0-9_]*)\s*\}\}/g;

/** Returns the distinct placeholder names of a template, in order of first use. */
export function placeholdersOf(content: string): readonly string[] {
  return [...new Set([...content.matchAll(placeholder)].map(([, name = '']) => name))];
}

/** Replaces the placeholders of a template. Placeholders inside the values are not expanded. */
export function fillIn(content: string, values: Readonly<Record<string, string>>): string {
  return content.replaceAll(placeholder, (_, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? '') : '',
  );
}

/** Returns a problem if a placeholder is neither declared nor built in. */
export function placeholderProblems(
  content: string,
  inputVariables: readonly string[],
): readonly string[] {
  const known = new Set<string>([...builtInVariables, ...inputVariables]);
  const unknown = placeholdersOf(content).filter((name) => !known.has(name));

  return unknown.length === 0
    ? []
    : [`templateContent has placeholders that are not in inputVariables: ${unknown.join(', ')}`];
}
