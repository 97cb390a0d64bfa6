import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { chromiumProblem } from './tests/support/chromium.ts';
import { runsAll } from './tests/support/depth.ts';
import { patiently } from './tests/support/patience.ts';

// Tests that kill a function run it in a new process, and some test files run in their own process.
// They load the same modules, so a shared cache compiles them only once.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(
  new URL('node_modules/.cache/compiled', import.meta.url),
);

// Files that need a browser are skipped if it does not start. In CI, they fail.
const chromiumFailure = process.env.CI ? undefined : await chromiumProblem();
const openers = globSync('tests/**/*.test.ts', { cwd: import.meta.dirname }).filter((path) =>
  textOf(path).includes("from '#tests/support/browser.ts'"),
);
const leftOut = chromiumFailure === undefined ? [] : openers;
if (leftOut.length > 0) {
  process.stderr.write(
    `Left out ${leftOut.length} test files: Chromium does not start (${chromiumFailure})\n`,
  );
}

/** The first words of a file whose tests change state that all files in a process share. */
const ownProcessMarker = '// Runs in a separate process:';

/**
 * Projects for one kind of test. Files of a worker share their loaded modules, because loading
 * takes longer than most tests. Files with the marker are isolated.
 */
function filesOf(
  name: string,
  patterns: readonly string[],
  test: TestProjectInlineConfiguration['test'],
): TestProjectInlineConfiguration[] {
  const alone = globSync(patterns, { cwd: import.meta.dirname }).filter((path) =>
    textOf(path).startsWith(ownProcessMarker),
  );

  return [
    {
      extends: true,
      test: {
        ...test,
        name,
        include: [...patterns],
        exclude: [...alone, ...leftOut],
        isolate: false,
      },
    },
    { extends: true, test: { ...test, name: `${name}-alone`, include: alone } },
  ];
}

/** Only ends tests that hang, because a busy machine can be twenty times as slow as a quiet one. */
const timeoutMs = runsAll ? 3_600_000 : 300_000;

function textOf(path: string): string {
  return readFileSync(new URL(path, import.meta.url), 'utf8');
}

export default defineConfig({
  test: {
    testTimeout: timeoutMs,
    hookTimeout: timeoutMs,
    expect: { poll: patiently },
    // On a busy machine, a test sometimes fails although nothing is broken. A real fault fails twice,
    // and the report marks retried tests. Full runs never retry, so that they show every failure.
    retry: runsAll ? 0 : 1,
    // For two cores: while workers wait for a hanging vendor or a browser, two others can run.
    maxWorkers: 4,
    // Tests create a lot of garbage. A larger young generation reduces the number of collections.
    execArgv: ['--max-semi-space-size=32'],
    coverage: {
      include: ['{functions,lib,schemas}/**/*.ts'],
      reporter: ['text-summary', 'html'],
      // The values of 2026-11-24, rounded down. They may only rise.
      thresholds: { statements: 97, branches: 90, functions: 98, lines: 97 },
    },
    projects: [
      ...filesOf('unit', ['tests/unit/**/*.test.ts', 'packages/*/tests/**/*.test.ts'], {
        setupFiles: ['tests/support/setup-unit.ts'],
      }),
      ...filesOf('integration', ['tests/integration/**/*.test.ts', 'tests/contract/**/*.test.ts'], {
        globalSetup: ['tests/support/global-setup-integration.ts'],
        setupFiles: ['tests/support/setup-integration.ts'],
      }),
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['tests/e2e/**/*.test.ts'],
          exclude: leftOut,
          isolate: false,
          globalSetup: ['tests/support/global-setup-e2e.ts'],
          // Runs after the others, because these tests start processes and need the machine's full
          // capacity.
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
