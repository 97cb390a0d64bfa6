import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The absolute path of a file in the project, or of its root without an argument. */
export function projectPath(relativePath = ''): string {
  return root + relativePath;
}
