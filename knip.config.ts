import type { KnipConfig } from 'knip';

const config: KnipConfig = {
  entry: [
    // What serverless.yml names: the gateway, the queues and the scheduler call it.
    'functions/*/*.ts',
    // What takes the place of a package in bundles.
    'scripts/build/package/bundled/*.ts',
    // `npm start`, which the tool does not see behind `exec`.
    'scripts/dev/stack/start.ts',
    // Run by hand after a deployment.
    'scripts/operations/put-secret.ts',
    // Processes of their own, and a service that only the framework reads.
    'scripts/build/package/load-bundles.ts',
    'scripts/sandbox/main.ts',
    'scripts/bench/bundles/bare-handler.ts',
    'scripts/bench/bundles/plain-handler.ts',
    'scripts/bench/cold/cold-probe.ts',
    'scripts/bench/warm/warm-probe.ts',
    'scripts/bench/frameworks/*.ts',
    'tests/support/tiny-service/**/*.ts',
    'dependency-cruiser.config.ts',
  ],
  project: ['{functions,lib,schemas,scripts,tests}/**/*.ts', '*.ts'],
  // A type that stands in a function's signature is exported for whoever calls the function.
  rules: { types: 'off' },
  ignoreDependencies: [
    // Run by their paths, in scripts/build/check/steps.ts.
    '@redocly/cli',
    'typescript-7',
    // Served as it is, file by file.
    'swagger-ui-dist',
    // Put into pages, and into a program of its own, by the tests.
    'axe-core',
    'openapi-fetch',
  ],
};

export default config;
