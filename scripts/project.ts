import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The absolute path of what lies in the project; the project's root without an argument. */
export function projectPath(relativePath = ''): string {
  return root + relativePath;
}
