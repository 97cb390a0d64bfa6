import { badRequest } from '#lib/platform/errors/failures.ts';

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

/** @throws 400 with the placeholders that are neither declared nor built in. */
export function requireKnownPlaceholders(content: string, inputVariables: readonly string[]): void {
  const known = new Set<string>([...builtInVariables, ...inputVariables]);
  const unknown = placeholdersOf(content).filter((name) => !known.has(name));
  if (unknown.length > 0) {
    throw badRequest(
      `templateContent has placeholders that are not in inputVariables: ${unknown.join(', ')}`,
    );
  }
}
