import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';

// Tests that kill a function run it in a new process, and some test files run in their own process.
// They load the same modules, so a shared cache compiles them only once.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(
  new URL('node_modules/.cache/compiled', import.meta.url),
);

/** The start of a file whose tests change state that all files in a process share. */
const ownProcessMarker = '// In a process of its own:';

/**
 * Projects for one kind of test. Files of a worker share their loaded modules, because loading
 * takes longer than most tests. Files that ask for their own process are isolated.
 */
function filesOf(
  name: string,
  patterns: readonly string[],
  test: TestProjectInlineConfiguration['test'],
): TestProjectInlineConfiguration[] {
  const alone = globSync(patterns, { cwd: import.meta.dirname }).filter((path) =>
    readFileSync(new URL(path, import.meta.url), 'utf8').startsWith(ownProcessMarker),
  );

  return [
    {
      extends: true,
      test: { ...test, name, include: [...patterns], exclude: alone, isolate: false },
    },
    { extends: true, test: { ...test, name: `${name}-alone`, include: alone } },
  ];
}

export default defineConfig({
  test: {
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // For two cores: while one worker waits for a hanging vendor, two others can run.
    maxWorkers: 3,
    // Tests create much garbage. A larger young generation reduces the number of collections.
    execArgv: ['--max-semi-space-size=32'],
    coverage: {
      include: ['{functions,lib,schemas}/**/*.ts'],
      reporter: ['text-summary', 'html'],
      // The values of 2026-11-24, rounded down. They may only rise.
      thresholds: { statements: 97, branches: 90, functions: 98, lines: 97 },
    },
    projects: [
      ...filesOf('unit', ['tests/unit/**/*.test.ts'], {
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
          globalSetup: ['tests/support/global-setup-e2e.ts'],
          testTimeout: 60_000,
          // Runs after the others: these tests start processes and need the machine's full
          // capacity.
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
