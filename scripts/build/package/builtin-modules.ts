import { builtinModules, createRequire } from 'node:module';
import type { Plugin } from 'esbuild';

const names = new Set(builtinModules.flatMap((name) => [name, `node:${name}`]));
const identifier = /^[A-Za-z_$][\w$]*$/;
const load = createRequire(import.meta.url);

/**
 * Has bundles take from Node's own modules what they use and nothing else. An `import` of one reads
 * every property that it has, and some of them load what they stand for when they are read: with
 * `node:http` come the classes of `fetch` and WebSocket, with `node:process` the list of Node's
 * options. Altogether that takes more than 20 ms of a cold start.
 */
export const builtinModulesInParts: Plugin = {
  name: 'builtin-modules-in-parts',
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^[a-z0-9_:/]+$/ }, ({ path, kind }) =>
      names.has(path) ? { path, namespace: namespaceOf(path, kind) } : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'builtin' }, ({ path }) => ({
      contents: `module.exports = ${builtin(path)};`,
    }));
    onLoad({ filter: /.*/, namespace: 'builtin-in-parts' }, ({ path }) => ({
      contents: exportsOf(path),
    }));
  },
};

/**
 * The payment provider's client takes `node:http` as a whole and hands it on, so that every part of it
 * seems to be used. As a CommonJS module its properties are read when they are used.
 */
function namespaceOf(path: string, kind: string): string {
  const isTakenByName = kind === 'import-statement' && !/^(?:node:)?http$/.test(path);

  return isTakenByName ? 'builtin-in-parts' : 'builtin';
}

/** One export for each property. Those that nobody imports are left out, and are never read. */
function exportsOf(path: string): string {
  const properties = Object.keys(load(path)).filter((name) => identifier.test(name));

  return [
    `const builtin = ${builtin(path)};`,
    'export default builtin;',
    ...properties
      .filter((name) => name !== 'default')
      .map((name) => `export const ${name} = /* @__PURE__ */ (() => builtin.${name})();`),
  ].join('\n');
}

function builtin(path: string): string {
  return `/* @__PURE__ */ process.getBuiltinModule(${JSON.stringify(path)})`;
}
