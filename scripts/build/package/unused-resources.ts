import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

/** The folders of clients that hold their products, in the dialect of the bundler. */
const resources = /(?:(?:stripe[/\\]esm|openai)[/\\]resources|openai[/\\]lib)[/\\].*\.m?js$/;

/**
 * Products of vendors that have nothing to do with ours: cards to issue and terminals of the payment
 * provider, everything but chat of the AI service, and of chat what streams and calls tools.
 */
const unused = [
  /stripe[/\\]esm[/\\]resources[/\\](?:Climate|Issuing|Terminal|TestHelpers|Treasury)[/\\]/,
  /openai[/\\]resources[/\\](?!chat[/\\.]|index\.|shared\.)/,
  /openai[/\\]lib[/\\]ChatCompletion(?:Stream|Runner|StreamingRunner)\./,
];

/** What describes schemas: the document of the interface is made before, and deployed as a file. */
const descriptions = /zod[/\\]v4[/\\]core[/\\](?:to-json-schema|json-schema-processors)\.js$/;

/**
 * Leaves out of bundles what clients can do with products that this service does not use. They make
 * an object for each, so that nothing can be shaken off; here they have no methods. In the same way
 * every schema carries what describes it; here that is undefined.
 */
export const unusedResources: Plugin = {
  name: 'unused-resources',
  setup: ({ onLoad }) => {
    onLoad({ filter: resources }, async ({ path }) => {
      if (!unused.some((pattern) => pattern.test(path))) {
        return undefined;
      }
      const source = await readFile(path, 'utf8');
      const classes = [...source.matchAll(/^export class (\w+)/gm)];

      return { contents: ['export {};', ...classes.map(([text]) => `${text} {}`)].join('\n') };
    });
    onLoad({ filter: descriptions }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      const names = [...source.matchAll(/^export (?:const|function) (\w+)/gm)];

      return { contents: names.map(([, name]) => `export const ${name} = undefined;`).join('\n') };
    });
  },
};
