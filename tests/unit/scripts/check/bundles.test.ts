import { describe, expect, it } from 'vitest';
import { checkBundles } from '#scripts/build/check/bundles.ts';
import { deployedFunctions } from '#scripts/build/generate/deployed-functions.ts';
import type { Bundle } from '#scripts/build/package/build.ts';
import { fixtureRegistry } from '#tests/support/fixture-registry.ts';

const [definition] = deployedFunctions(fixtureRegistry({ endpoints: 1, workers: 0, jobs: 0 }));

function bundle(changes: Partial<Bundle>): Bundle {
  if (!definition) {
    throw new Error('The fixture has no function');
  }

  return { function: definition, path: '/bundle.mjs', sizeBytes: 500_000, inputs: {}, ...changes };
}

describe('checkBundles', () => {
  it('accepts the DynamoDB client, which every function may use', () => {
    const inputs = { 'node_modules/@aws-sdk/client-dynamodb/dist-es/index.js': 1 };

    expect(checkBundles([bundle({ inputs })])).toEqual([]);
  });

  it('rejects a bundle above its size limit', () => {
    expect(checkBundles([bundle({ sizeBytes: 700_001 })])).toEqual([
      expect.stringContaining('700001 bytes'),
    ]);
  });

  it.each(['stripe', 'openai', 'bcryptjs', '@aws-sdk/client-s3', '@aws-sdk/client-sesv2'])(
    'rejects a bundle with %s if its function does not use it',
    (name) => {
      expect(checkBundles([bundle({ inputs: { [`node_modules/${name}/x.js`]: 1 } })])).toEqual([
        `organizations/read-fixture-number1 bundles ${name}, which it does not use`,
      ]);
    },
  );
});
