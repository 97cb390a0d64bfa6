import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

/** The folders with the vendors' resource classes. */
const resources = /(?:(?:stripe[/\\]esm|openai)[/\\]resources|openai[/\\]lib)[/\\].*\.m?js$/;

/**
 * Resources that this service does not use: Stripe's card issuing and terminals, everything except
 * chat in OpenAI's client, and streaming and tool calls of chat.
 */
const unused = [
  /stripe[/\\]esm[/\\]resources[/\\](?:Climate|Issuing|Terminal|TestHelpers|Treasury)[/\\]/,
  /openai[/\\]resources[/\\](?!chat[/\\.]|index\.|shared\.)/,
  /openai[/\\]lib[/\\]ChatCompletion(?:Stream|Runner|StreamingRunner)\./,
];

/**
 * JSON Schema generation, which is only used at build time: the OpenAPI document is deployed as a
 * file.
 */
const descriptions = /zod[/\\]v4[/\\]core[/\\](?:to-json-schema|json-schema-processors)\.js$/;

/**
 * Removes unused resources of vendors' clients from bundles. The clients create an object for each
 * resource, so they can't be tree-shaken. This replaces them with classes without methods. In the
 * same way, every zod schema references JSON Schema generation, which becomes undefined here.
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
