import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { projectPath } from '#scripts/project.ts';

type Report = {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numFailedTestSuites: number;
};

const allPassed = { numPassedTests: 12, numFailedTests: 0, numFailedTestSuites: 0 };
let folder: string;

/** Runs the script with a fake npm that records its arguments and returns the given results. */
function runWith(options: { report?: Report | string; failing?: 'ci' | 'check' | 'test' }) {
  const report =
    typeof options.report === 'string' ? options.report : JSON.stringify(options.report);
  writeFileSync(join(folder, 'report.json'), report ?? '');
  const npm = `#!/bin/sh
echo "$*" >> '${folder}/calls'
for argument; do
  case "$argument" in --outputFile.json=*) cp '${folder}/report.json' "\${argument#*=}";; esac
done
case "$*" in *'${options.failing ?? 'nothing'}'*) exit 1;; esac
`;
  writeFileSync(join(folder, 'npm'), npm);
  chmodSync(join(folder, 'npm'), 0o755);
  const { status, stdout } = spawnSync(join(folder, '.ci/run'), {
    env: { ...process.env, PATH: `${folder}${delimiter}${process.env.PATH}` },
    encoding: 'utf8',
  });

  return { status, lastLine: stdout.trimEnd().split('\n').at(-1) };
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'social-leads-ci-'));
  mkdirSync(join(folder, '.ci'));
  cpSync(projectPath('.ci/run'), join(folder, '.ci/run'));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

describe('.ci/run', () => {
  it('succeeds and prints the count when everything passes', () => {
    expect(runWith({ report: allPassed })).toEqual({ status: 0, lastLine: '12 passed, 0 failed' });
  });

  it('counts failed tests and fails', () => {
    const report = { ...allPassed, numFailedTests: 3, numFailedTestSuites: 2 };

    expect(runWith({ report, failing: 'test' })).toEqual({
      status: 1,
      lastLine: '12 passed, 3 failed',
    });
  });

  it('counts files that could not be loaded as failures', () => {
    expect(runWith({ report: { ...allPassed, numFailedTestSuites: 1 } })).toEqual({
      status: 1,
      lastLine: '12 passed, 1 failed',
    });
  });

  it('fails when a check fails, even if every test passes', () => {
    expect(runWith({ report: allPassed, failing: 'check' })).toEqual({
      status: 1,
      lastLine: '12 passed, 0 failed',
    });
  });

  it.each([
    ['no test ran', { report: { ...allPassed, numPassedTests: 0 } }],
    ['the tests ended without a report', { report: '' }],
    ['the report was truncated', { report: '{"numPassedTests": 12, ' }],
    ['the installation failed', { failing: 'ci' as const }],
  ])('fails when %s', (_, options) => {
    expect(runWith(options)).toEqual({ status: 1, lastLine: '0 passed, 0 failed' });
  });
});
