import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { findPackageProblems } from '#scripts/build/check/find-package-problems.ts';
import { nearLimits, usageOf } from '#scripts/build/check/template/check-limits.ts';
import { findIndexChanges } from '#scripts/build/check/template/find-rejected-values.ts';
import { includedFiles, writeStaleFiles } from '#scripts/build/generate/generated-files.ts';
import { projectPath } from '#scripts/project.ts';
import { buildFunctions } from './build.ts';
import { checkLoadable } from './check-loadable.ts';
import { missingVariables } from './missing-variables.ts';
import { compileTemplate, type Template } from './template.ts';

const { values } = parseArgs({
  options: {
    stage: { type: 'string', default: 'dev' },
    // A file with the template of the deployed stack, to check the changes to it.
    deployed: { type: 'string' },
  },
});
const { stage, deployed } = values;

const missing = missingVariables(
  await readFile(projectPath('serverless.yml'), 'utf8'),
  stage,
  process.env,
);
if (missing !== undefined) {
  console.error(missing);
  process.exit(1);
}

writeStaleFiles(includedFiles());
const bundles = await buildFunctions();
const compiled = await compileTemplate(projectPath(), ['--stage', stage]).catch(
  (failure: Error): never => {
    console.error(failure.message);
    process.exit(1);
  },
);

const problems = [
  ...(await checkLoadable(bundles)),
  ...(await findPackageProblems(bundles, compiled, stage)),
  ...(deployed ? findIndexChanges(await readTemplate(deployed), compiled.template) : []),
];
const largest = bundles.reduce((one, other) => (one.sizeBytes < other.sizeBytes ? other : one));

console.log(
  `Stage ${stage}: ${bundles.length} functions, largest bundle ${kilobytes(largest.sizeBytes)} (${largest.function.name})`,
);
for (const { what, used, limit } of usageOf(compiled)) {
  const percent = Math.round((used / limit) * 100);
  console.log(`${String(percent).padStart(4)}%  ${used} of ${limit} ${what}`);
}
for (const warning of nearLimits(compiled)) {
  console.warn(`Warning: ${warning}`);
}
for (const problem of problems) {
  console.error(problem);
}
process.exitCode = problems.length === 0 ? 0 : 1;

async function readTemplate(path: string): Promise<Template> {
  return JSON.parse(await readFile(path, 'utf8')) as Template;
}

function kilobytes(bytes: number): string {
  return `${Math.round(bytes / 1000)} KB`;
}
