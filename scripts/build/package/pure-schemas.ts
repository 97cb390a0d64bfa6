import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';
import ts from 'typescript';
import { projectPath } from '#scripts/project.ts';

/**
 * Allows the bundler to remove unused schemas, because a function needs only its own contract.
 * Building the schemas of its whole area would take longer than the rest of our own cold start
 * code. Building a schema has no side effects, but a bundler can't know that. This plugin marks all
 * constants of the folder as pure and removes descriptions from the remaining schemas. It treats
 * the networks' adapters in the same way, because they also declare schemas for responses.
 */
export const pureSchemas: Plugin = {
  name: 'pure-schemas',
  setup(build) {
    const project = projectPath().replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
    const filter = new RegExp(`^${project}(?:schemas|lib/vendors/networks)/.*\\.ts$`);
    build.onLoad({ filter }, async ({ path }) => ({
      contents: pureSource(await readFile(path, 'utf8')),
      loader: 'ts',
    }));
  },
};

/** Sources by their original text, because several bundles contain the same schemas. */
const pureSources = new Map<string, string>();

function pureSource(source: string): string {
  const pure = pureSources.get(source) ?? markConstantsPure(withoutDescriptions(source));
  pureSources.set(source, pure);

  return pure;
}

/**
 * Removes calls of `meta`, because functions need no examples and descriptions, and each call
 * builds its schema again.
 */
export function withoutDescriptions(source: string): string {
  const parsed = ts.createSourceFile('schemas.ts', source, ts.ScriptTarget.Latest);
  const pieces: string[] = [];
  let end = 0;
  const visit = (node: ts.Node): void => {
    if (!ts.isCallExpression(node) || !isMeta(node.expression)) {
      ts.forEachChild(node, visit);

      return;
    }
    visit(node.expression.expression);
    pieces.push(source.slice(end, node.expression.expression.end));
    end = node.end;
  };
  visit(parsed);

  return [...pieces, source.slice(end)].join('');
}

function isMeta(called: ts.Expression): called is ts.PropertyAccessExpression {
  return ts.isPropertyAccessExpression(called) && called.name.text === 'meta';
}

/** Wraps the initializers of a module's constants in functions that are marked as pure. */
export function markConstantsPure(source: string): string {
  const parsed = ts.createSourceFile('schemas.ts', source, ts.ScriptTarget.Latest);
  const initializers = parsed.statements
    .filter(ts.isVariableStatement)
    .flatMap(({ declarationList }) => [...declarationList.declarations])
    .flatMap(({ initializer }) =>
      initializer && mayHaveSideEffects(initializer) ? [initializer] : [],
    );
  const pieces: string[] = [];
  let end = 0;
  for (const initializer of initializers) {
    const start = initializer.getStart(parsed);
    const expression = source.slice(start, initializer.end);
    pieces.push(source.slice(end, start), `/* @__PURE__ */ (() => (${expression}))()`);
    end = initializer.end;
  }

  return [...pieces, source.slice(end)].join('');
}

/** Bundlers recognize literals and functions as pure by themselves. */
function mayHaveSideEffects(initializer: ts.Expression): boolean {
  return !(
    ts.isArrowFunction(initializer) ||
    ts.isStringLiteral(initializer) ||
    ts.isNumericLiteral(initializer)
  );
}
