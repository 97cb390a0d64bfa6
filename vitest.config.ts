import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

// Every test file, and every function that a test runs to kill it, is a process of its own: they
// load the same modules, which need to be compiled only once.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(
  new URL('node_modules/.cache/compiled', import.meta.url),
);

export default defineConfig({
  test: {
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['tests/unit/**/*.test.ts'],
          setupFiles: ['tests/support/setup-unit.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'integration',
          include: ['tests/integration/**/*.test.ts', 'tests/contract/**/*.test.ts'],
          globalSetup: ['tests/support/global-setup-integration.ts'],
          setupFiles: ['tests/support/setup-integration.ts'],
        },
      },
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
