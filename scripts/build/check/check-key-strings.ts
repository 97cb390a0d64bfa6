import { globSync, readFileSync } from 'node:fs';
import { projectPath } from '#scripts/project.ts';

const keysFolder = 'lib/platform/db/keys/';
/** The beginning of a key, such as `ORG#`, in any kind of quotes. */
const keyString = /['"`][A-Z][A-Z_]+#/;

/** Keys of the table that are put together anywhere outside the folder that does so. */
export function checkKeyStrings(): string[] {
  return globSync('{functions,lib,schemas}/**/*.ts', { cwd: projectPath() })
    .filter((path) => !path.startsWith(keysFolder))
    .flatMap((path) => keyStringsIn(path, readFileSync(projectPath(path), 'utf8')));
}

/** Exported for its own test. */
export function keyStringsIn(path: string, source: string): string[] {
  return source
    .split('\n')
    .map((line, index) => ({ line, number: index + 1 }))
    .filter(({ line }) => keyString.test(line))
    .map(({ number }) => `${path}:${number} builds a key: only ${keysFolder} does`);
}
