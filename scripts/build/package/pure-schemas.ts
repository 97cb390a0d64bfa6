import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';
import ts from 'typescript';
import { projectPath } from '#scripts/project.ts';

/**
 * A function needs the one contract that it serves, and making the schemas of all others of its
 * area takes longer than anything else that our own code does in a cold start. Making a schema
 * changes nothing else, which a bundler cannot know: this tells it, for all constants of the folder,
 * so that those that nobody uses are left out. Of the others it leaves out what only the document
 * of the interface says of them. The adapters of the networks are treated alike: who needs a constant
 * of one does not make the schemas of all that its network may answer.
 */
export const pureSchemas: Plugin = {
  name: 'pure-schemas',
  setup(build) {
    const project = projectPath().replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
    const filter = new RegExp(`^${project}(?:schemas|lib/vendors/networks)/.*\\.ts$`);
    build.onLoad({ filter }, async ({ path }) => ({
      contents: markConstantsPure(withoutDescriptions(await readFile(path, 'utf8'))),
      loader: 'ts',
    }));
  },
};

/**
 * Takes the calls of `meta` away: examples and descriptions are nothing that a function needs, and
 * each of them makes its schema once more.
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

/** Puts what a module's constants are made by into functions that are called for their result alone. */
export function markConstantsPure(source: string): string {
  const parsed = ts.createSourceFile('schemas.ts', source, ts.ScriptTarget.Latest);
  const initializers = parsed.statements
    .filter(ts.isVariableStatement)
    .flatMap(({ declarationList }) => [...declarationList.declarations])
    .flatMap(({ initializer }) =>
      initializer && mayDoSomething(initializer) ? [initializer] : [],
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

/** Literals and functions are seen to be harmless without help. */
function mayDoSomething(initializer: ts.Expression): boolean {
  return !(
    ts.isArrowFunction(initializer) ||
    ts.isStringLiteral(initializer) ||
    ts.isNumericLiteral(initializer)
  );
}
