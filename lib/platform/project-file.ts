import { readFileSync } from 'node:fs';

/**
 * Reads a file by its path in the project. In the source tree, this module lies as deep as a
 * function's bundle in its archive, so that the relative path is right in both: do not move it to
 * another depth.
 */
export function readProjectFile(path: string): Buffer {
  return readFileSync(projectFileUrl(path));
}

export function projectFileUrl(path: string): URL {
  return new URL(`../../${path}`, import.meta.url);
}
