import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { projectPath } from '#scripts/project.ts';
import { generateAlarmsYml } from './alarms-yml.ts';
import { generateFunctionsYml } from './functions-yml.ts';
import type { GeneratedFile } from './generated-file.ts';
import { generateQueuesYml } from './queues-yml.ts';
import { type Registry, registry } from './registry.ts';

/** The files that serverless.yml includes. They are written when needed and not committed. */
export function includedFiles(source: Registry = registry): readonly GeneratedFile[] {
  return [
    ...generateFunctionsYml(source),
    ...generateQueuesYml(source),
    ...generateAlarmsYml(source),
  ];
}

/** Returns the files that are missing or differ on disk. */
export function staleFiles(files: readonly GeneratedFile[]): readonly GeneratedFile[] {
  return files.filter(({ path, content }) => {
    const file = projectPath(path);

    return !existsSync(file) || readFileSync(file, 'utf8') !== content;
  });
}

/** Writes the files that are missing or differ on disk, and returns their paths. */
export function writeStaleFiles(files: readonly GeneratedFile[]): readonly string[] {
  const stale = staleFiles(files);
  for (const { path, content } of stale) {
    mkdirSync(dirname(projectPath(path)), { recursive: true });
    writeFileSync(projectPath(path), content);
  }

  return stale.map(({ path }) => path);
}
