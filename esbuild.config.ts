import type { BuildOptions } from 'esbuild';
import { builtinModulesInParts } from './scripts/build/package/builtin-modules.ts';
import { constantVersion } from './scripts/build/package/constant-version.ts';
import { pureSchemas } from './scripts/build/package/pure-schemas.ts';
import { unusedResources } from './scripts/build/package/unused-resources.ts';

/**
 * Bundles each function with all of its imports, including the AWS SDK. A single file loads faster
 * than the runtime's copy of the SDK, and its version only changes with a deployment. Source maps
 * are written next to the bundles but not deployed, because reading one costs 12 ms per cold start.
 */
const options = {
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'esm',
  outExtension: { '.js': '.mjs' },
  // `module` comes first because most SDK packages only support tree shaking in this format.
  mainFields: ['module', 'main'],
  alias: {
    '@aws-sdk/credential-provider-node': './scripts/build/package/bundled/lambda-credentials.ts',
    'decode-named-character-reference':
      './scripts/build/package/bundled/decode-named-character-reference.ts',
    semver: './scripts/build/package/bundled/semver.ts',
    '@modelcontextprotocol/server/_shims': './scripts/build/package/bundled/mcp-shims.ts',
  },
  plugins: [builtinModulesInParts, constantVersion, unusedResources, pureSchemas],
  minify: true,
  sourcemap: 'external',
  sourcesContent: false,
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
} as const satisfies BuildOptions;

export default options;
