import { builtinModules, createRequire } from 'node:module';
import type { Plugin } from 'esbuild';

const names = new Set(builtinModules.flatMap((name) => [name, `node:${name}`]));
const identifier = /^[A-Za-z_$][\w$]*$/;
const load = createRequire(import.meta.url);

/**
 * Makes bundles read only the used properties of Node's own modules. A plain `import` reads every
 * property, and reading some of them loads code. For example, `node:http` loads the classes of
 * `fetch` and WebSocket, and `node:process` the list of Node's options. This costs more than 20 ms
 * per cold start.
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
 * Stripe's client imports `node:http` as a whole and passes it on, so every property would count as
 * used. In a CommonJS module, properties are read only on use.
 */
function namespaceOf(path: string, kind: string): string {
  const isNamedImport = kind === 'import-statement' && !/^(?:node:)?http$/.test(path);

  return isNamedImport ? 'builtin-in-parts' : 'builtin';
}

/** Exports each property separately. Bundling removes unused exports, so they are never read. */
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
