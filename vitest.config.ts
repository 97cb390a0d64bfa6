import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';

// Every function that a test runs to kill it is a process of its own, and so is a test file that
// asks for one: they load the same modules, which need to be compiled only once.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(
  new URL('node_modules/.cache/compiled', import.meta.url),
);

/** How a file says, in its first line, that it changes what files of one process share. */
const asksForOwnProcess = '// In a process of its own:';

/**
 * Files of a kind. Those of one worker share the modules that they have loaded, which to load takes
 * longer than most of them last; but for those that ask for a process of their own.
 */
function filesOf(
  name: string,
  patterns: readonly string[],
  test: TestProjectInlineConfiguration['test'],
): TestProjectInlineConfiguration[] {
  const alone = globSync(patterns, { cwd: import.meta.dirname }).filter((path) =>
    readFileSync(new URL(path, import.meta.url), 'utf8').startsWith(asksForOwnProcess),
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
    // On two cores: while one waits for a vendor that hangs, two others are at work.
    maxWorkers: 3,
    // A test leaves much behind that is needed no more: it is cleared away less often so.
    execArgv: ['--max-semi-space-size=32'],
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
          // After the others: these start processes of their own and want the machine for themselves.
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
