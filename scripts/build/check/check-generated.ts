import { globSync, readFileSync } from 'node:fs';
import { deployedFunctions } from '#scripts/build/generate/deployed-functions.ts';
import { generatedFiles, staleFiles } from '#scripts/build/generate/generated-files.ts';
import { registry } from '#scripts/build/generate/registry.ts';
import { projectPath } from '#scripts/project.ts';

/** Finds generated files and function files that don't match the contracts. */
export function checkGenerated(): string[] {
  const files = generatedFiles();
  const stale = staleFiles(files).map(
    ({ path }) => `${path} is out of date. Run \`npm run generate\``,
  );

  return [
    ...stale,
    ...undeployed(files.map(({ path }) => path)),
    ...orphaned(new Set(files.map(({ path }) => path))),
    ...undeclared(),
  ];
}

function undeployed(paths: readonly string[]): string[] {
  const deployment = readFileSync(projectPath('serverless.yml'), 'utf8');

  return paths
    .filter((path) => path.endsWith('.yml') && !deployment.includes(`\${file(${path})`))
    .map((path) => `${path} is not referenced in serverless.yml`);
}

/** Generated files of an area that no longer has any functions. */
function orphaned(generated: ReadonlySet<string>): string[] {
  return globSync('functions/**/*.yml', { cwd: projectPath() })
    .filter((path) => !generated.has(path))
    .map((path) => `${path} does not belong to anything in the registry`);
}

function undeclared(): string[] {
  const declared = new Set(
    deployedFunctions(registry).map(({ folder, name }) => `functions/${folder}/${name}.ts`),
  );

  return globSync('functions/**/*.ts', { cwd: projectPath() })
    .filter((path) => !declared.has(path))
    .map((path) => `${path} does not belong to a contract, worker or job`);
}
