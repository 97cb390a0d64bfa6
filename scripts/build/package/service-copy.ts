import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { deployedFunctions } from '#scripts/build/generate/deployed-functions.ts';
import { includedFiles } from '#scripts/build/generate/generated-files.ts';
import type { Registry } from '#scripts/build/generate/registry.ts';
import { projectPath } from '#scripts/project.ts';

export type ServiceCopy = { readonly folder: string; readonly remove: () => void };

/**
 * Creates a copy of the project, as the framework sees it, with placeholders for the functions of a
 * registry. Packaging it does not change the project's own packages.
 */
export function createServiceCopy(registry: Registry): ServiceCopy {
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
  for (const { path, content } of [...includedFiles(registry), ...archives]) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }

  return { folder, remove: () => rmSync(folder, { recursive: true }) };
}
