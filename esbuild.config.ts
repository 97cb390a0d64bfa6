import type { BuildOptions } from 'esbuild';
import { builtinModulesInParts } from './scripts/build/package/builtin-modules.ts';
import { pureSchemas } from './scripts/build/package/pure-schemas.ts';
import { unusedResources } from './scripts/build/package/unused-resources.ts';

/**
 * How functions are bundled: each with everything that it imports, the AWS SDK included, as loading
 * one file of known content is faster than the runtime's copy of the SDK, and never changes by
 * itself. Source maps lie beside the bundles and are not deployed: reading one costs 12 ms of each
 * cold start.
 */
const options = {
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'esm',
  outExtension: { '.js': '.mjs' },
  // `module` first: most packages of the SDK can be tree-shaken in that form alone.
  mainFields: ['module', 'main'],
  alias: {
    '@aws-sdk/credential-provider-node': './scripts/build/package/bundled/lambda-credentials.ts',
    semver: './scripts/build/package/bundled/semver.ts',
  },
  plugins: [builtinModulesInParts, unusedResources, pureSchemas],
  minify: true,
  sourcemap: 'external',
  sourcesContent: false,
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
} as const satisfies BuildOptions;

export default options;
