import { globSync, readFileSync } from 'node:fs';
import { projectPath } from '#scripts/project.ts';

const keysFolder = 'lib/platform/db/keys/';
/** The start of a key, such as `ORG#`, in any kind of quotes. */
const keyString = /['"`][A-Z][A-Z_]+#/;

/** Finds table keys that are built outside of `lib/platform/db/keys`. */
export function checkKeyStrings(): string[] {
  return globSync('{functions,lib,schemas}/**/*.ts', { cwd: projectPath() })
    .filter((path) => !path.startsWith(keysFolder))
    .flatMap((path) => keyStringsIn(path, readFileSync(projectPath(path), 'utf8')));
}

/** Exported for its test. */
export function keyStringsIn(path: string, source: string): string[] {
  return source
    .split('\n')
    .map((line, index) => ({ line, number: index + 1 }))
    .filter(({ line }) => keyString.test(line))
    .map(({ number }) => `${path}:${number} builds a key. Only ${keysFolder} may do this`);
}
