import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

/** Products of the payment provider that have nothing to do with ours: cards to issue, terminals. */
const resources =
  /stripe[/\\]esm[/\\]resources[/\\](?:Climate|Issuing|Terminal|TestHelpers|Treasury)[/\\].*\.js$/;

/**
 * Leaves out of bundles what the client can do with products that this service does not use. The
 * client makes an object for each, so that nothing can be shaken off; here they have no methods.
 */
export const unusedStripeResources: Plugin = {
  name: 'unused-stripe-resources',
  setup: ({ onLoad }) => {
    onLoad({ filter: resources }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      const classes = [...source.matchAll(/^export class (\w+)/gm)];

      return { contents: ['export {};', ...classes.map(([text]) => `${text} {}`)].join('\n') };
    });
  },
};
