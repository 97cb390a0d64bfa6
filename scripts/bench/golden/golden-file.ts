import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { printJson } from '#scripts/print-json.ts';
import { projectPath } from '#scripts/project.ts';
import type { Golden } from './golden.ts';

export const goldenPath = 'scripts/bench/bench.golden.json';

export const renewHint =
  'Run npm run bench -- --renew to add new functions and accept higher values, and explain higher values in the commit';

/** Reads the golden file, or returns undefined if it does not exist. */
export function readGolden(): Golden | undefined {
  const file = projectPath(goldenPath);

  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Golden) : undefined;
}

export function writeGolden(golden: Golden): void {
  writeFileSync(projectPath(goldenPath), `${printJson(golden, { functions: true })}\n`);
}
