import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { generateAlarmsYml } from '#scripts/build/generate/alarms-yml.ts';
import { deployedFunctions } from '#scripts/build/generate/deployed-functions.ts';
import { generateFunctionsYml } from '#scripts/build/generate/functions-yml.ts';
import { generateQueuesYml } from '#scripts/build/generate/queues-yml.ts';
import type { Registry } from '#scripts/build/generate/registry.ts';
import { projectPath } from '#scripts/project.ts';

export type FixtureService = { readonly folder: string; readonly remove: () => void };

/**
 * Creates a copy of the project, as the framework sees it, with placeholder functions for another
 * registry.
 */
export function createFixtureService(registry: Registry): FixtureService {
  const folder = mkdtempSync(join(tmpdir(), 'social-leads-'));
  for (const path of ['package.json', 'serverless.yml']) {
    cpSync(projectPath(path), join(folder, path));
  }
  for (const path of ['lib', 'node_modules', 'scripts']) {
    symlinkSync(projectPath(path), join(folder, path));
  }
  const archives = deployedFunctions(registry).map(({ folder: area, name }) => ({
    path: `.build/functions/${area}/${name}.zip`,
    content: '',
  }));
  const generated = [generateFunctionsYml, generateQueuesYml, generateAlarmsYml].flatMap(
    (generate) => generate(registry),
  );
  for (const { path, content } of [...generated, ...archives]) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }

  return { folder, remove: () => rmSync(folder, { recursive: true }) };
}
