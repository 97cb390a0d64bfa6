import { badRequest } from '#lib/platform/errors/failures.ts';

/** Always there, whatever a template declares. */
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

/** The names of the placeholders of a template, each once, in their order. */
export function placeholdersOf(content: string): readonly string[] {
  return [...new Set([...content.matchAll(placeholder)].map(([, name = '']) => name))];
}

/** The template with its values. They are data: what they hold is never replaced itself. */
export function fillIn(content: string, values: Readonly<Record<string, string>>): string {
  return content.replaceAll(placeholder, (_, name: string) =>
    Object.hasOwn(values, name) ? (values[name] ?? '') : '',
  );
}

/** @throws 400 that names the placeholders which are neither declared nor built in. */
export function requireKnownPlaceholders(content: string, inputVariables: readonly string[]): void {
  const known = new Set<string>([...builtInVariables, ...inputVariables]);
  const unknown = placeholdersOf(content).filter((name) => !known.has(name));
  if (unknown.length > 0) {
    throw badRequest(
      `templateContent has placeholders that are not in inputVariables: ${unknown.join(', ')}`,
    );
  }
}
