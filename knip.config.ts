import type { KnipConfig } from 'knip';

const config: KnipConfig = {
  workspaces: {
    '.': {
      entry: [
        // Referenced in serverless.yml: called by the gateway, the queues and the scheduler.
        'functions/*/*.ts',
        // Replacements for packages in bundles.
        'scripts/build/package/bundled/*.ts',
        // `npm start`. knip does not detect it after `exec`.
        'scripts/dev/stack/start.ts',
        // Run manually after a deployment.
        'scripts/operations/put-secret.ts',
        // Run by hand, see docs/platform.md.
        'scripts/dev/onboard-customers.ts',
        // Separate processes, and a service that only the framework loads.
        'scripts/build/check/check-package.ts',
        'scripts/build/package/load-bundles.ts',
        'scripts/bench/bundles/bare-handler.ts',
        'scripts/bench/bundles/plain-handler.ts',
        'scripts/bench/cold/cold-probe.ts',
        'scripts/bench/warm/warm-probe.ts',
        'tests/support/tiny-service/**/*.ts',
        // Run manually for the pictures of docs/first-day.md.
        'tests/support/screenshots.ts',
      ],
      project: ['{functions,lib,schemas,scripts,tests}/**/*.ts', '*.ts'],
    },
    'packages/sandbox': {
      project: '{src,tests}/**/*.ts',
    },
    'packages/web': {
      entry: ['src/main.tsx', 'src/reload.ts'],
      project: 'src/**/*.{ts,tsx}',
    },
  },
  // Types in a function's signature are exported for its callers.
  rules: { types: 'off' },
  ignoreDependencies: [
    // Run by path in scripts/build/check/steps.ts.
    '@redocly/cli',
    // Served file by file.
    'swagger-ui-dist',
    // Tests inject these into pages and into a separate program.
    'axe-core',
    'openapi-fetch',
    // Compiles JSX of packages/web, which lists it.
    'preact',
  ],
};

export default config;
