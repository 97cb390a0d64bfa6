import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { checkBundles } from '#scripts/build/check/bundles.ts';
import { checkLoadable } from '#scripts/build/check/check-loadable.ts';
import { checkRoles } from '#scripts/build/check/roles.ts';
import { checkLimits } from '#scripts/build/check/template/check-limits.ts';
import {
  findIndexChanges,
  findRejectedValues,
} from '#scripts/build/check/template/find-rejected-values.ts';
import { findWildcards } from '#scripts/build/check/template/find-wildcards.ts';
import { validateTemplate } from '#scripts/build/check/template/validate-template.ts';
import { validateWithAws } from '#scripts/build/check/template/validate-with-aws.ts';
import { projectPath } from '#scripts/project.ts';
import { buildFunctions } from './build.ts';
import { compileTemplate, type Template } from './template.ts';

const { values } = parseArgs({
  options: {
    stage: { type: 'string', default: 'dev' },
    // A file with the template of the deployed stack, to check the changes to it.
    deployed: { type: 'string' },
  },
});
const { stage, deployed } = values;

const bundles = await buildFunctions();
const compiled = await compileTemplate(projectPath(), ['--stage', stage]).catch(
  (failure: Error): never => {
    console.error(failure.message);
    process.exit(1);
  },
);

const templates = [compiled.template, compiled.alarms];
const rejectedValues = await Promise.all(templates.map(findRejectedValues));
const problems = [
  ...checkBundles(bundles),
  ...(await checkLoadable(bundles)),
  ...checkLimits(compiled),
  ...findWildcards(compiled.template, stage),
  ...templates.flatMap(validateTemplate),
  ...(await checkRoles(bundles, compiled.template)),
  ...templates.flatMap((template) => validateWithAws(template)),
  ...rejectedValues.flat(),
  ...(deployed ? findIndexChanges(await readTemplate(deployed), compiled.template) : []),
];
const resourceCount = Object.keys(compiled.template.Resources).length;
const largest = bundles.reduce((one, other) => (one.sizeBytes < other.sizeBytes ? other : one));

console.log(
  `${bundles.length} functions, ${resourceCount} resources, template ${kilobytes(compiled.sizeBytes)}, ` +
    `largest bundle ${kilobytes(largest.sizeBytes)} (${largest.function.name}), stage ${stage}`,
);
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
