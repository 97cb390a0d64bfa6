import type { KnipConfig } from 'knip';

const config: KnipConfig = {
  entry: [
    // Referenced in serverless.yml: called by the gateway, the queues and the scheduler.
    'functions/*/*.ts',
    // Replacements for packages in bundles.
    'scripts/build/package/bundled/*.ts',
    // `npm start`, which knip does not detect behind `exec`.
    'scripts/dev/stack/start.ts',
    // Run manually after a deployment.
    'scripts/operations/put-secret.ts',
    // Separate processes, and a service that only the framework loads.
    'scripts/build/package/load-bundles.ts',
    'scripts/sandbox/main.ts',
    'scripts/bench/bundles/bare-handler.ts',
    'scripts/bench/bundles/plain-handler.ts',
    'scripts/bench/cold/cold-probe.ts',
    'scripts/bench/warm/warm-probe.ts',
    'tests/support/tiny-service/**/*.ts',
    'dependency-cruiser.config.ts',
  ],
  project: ['{functions,lib,schemas,scripts,tests}/**/*.ts', '*.ts'],
  // Types in a function's signature are exported for its callers.
  rules: { types: 'off' },
  ignoreDependencies: [
    // Run by path in scripts/build/check/steps.ts.
    '@redocly/cli',
    'typescript-7',
    // Served file by file.
    'swagger-ui-dist',
    // Tests inject these into pages and into a separate program.
    'axe-core',
    'openapi-fetch',
  ],
};

export default config;
