import { existsSync, readFileSync } from 'node:fs';
import { projectPath } from '#scripts/project.ts';
import { generateAlarmsYml } from './alarms-yml.ts';
import { generateFunctionsYml } from './functions-yml.ts';
import type { GeneratedFile } from './generated-file.ts';
import { generateOpenapiFile } from './openapi.ts';
import { generateQueuesYml } from './queues-yml.ts';
import { type Registry, registry } from './registry.ts';

/** All generated files with their expected content. */
export function generatedFiles(source: Registry = registry): readonly GeneratedFile[] {
  return [
    ...generateFunctionsYml(source),
    ...generateQueuesYml(source),
    ...generateAlarmsYml(source),
    ...generateOpenapiFile(source),
  ];
}

/** Returns the files that are missing or differ on disk. */
export function staleFiles(files: readonly GeneratedFile[]): readonly GeneratedFile[] {
  return files.filter(({ path, content }) => {
    const file = projectPath(path);

    return !existsSync(file) || readFileSync(file, 'utf8') !== content;
  });
}
