import { globSync, readFileSync } from 'node:fs';
import { deployedFunctions } from '#scripts/build/generate/deployed-functions.ts';
import { includedFiles, staleFiles } from '#scripts/build/generate/generated-files.ts';
import { generateOpenapiFile } from '#scripts/build/generate/openapi.ts';
import { generatePostSettings } from '#scripts/build/generate/post-settings.ts';
import { registry } from '#scripts/build/generate/registry.ts';
import { generateTools } from '#scripts/build/generate/tools.ts';
import { projectPath } from '#scripts/project.ts';

/** Finds generated files, entries and function files that don't match the contracts. */
export function checkGenerated(): string[] {
  const stale = staleFiles([
    ...generateOpenapiFile(registry),
    generatePostSettings(),
    generateTools(registry.endpoints),
  ]).map(({ path }) => `${path} is out of date. Run \`npm run generate\``);

  return [...stale, ...undeployed(includedFiles().map(({ path }) => path)), ...undeclared()];
}

function undeployed(paths: readonly string[]): string[] {
  const deployment = readFileSync(projectPath('serverless.yml'), 'utf8');

  return paths
    .filter((path) => !deployment.includes(`\${file(${path})`))
    .map((path) => `${path} is not referenced in serverless.yml`);
}

function undeclared(): string[] {
  const declared = new Set(
    deployedFunctions(registry).map(({ folder, name }) => `functions/${folder}/${name}.ts`),
  );

  return globSync('functions/**/*.ts', { cwd: projectPath() })
    .filter((path) => !declared.has(path))
    .map((path) => `${path} does not belong to a contract, worker or job`);
}
