import { globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { projectPath } from '#scripts/project.ts';

/** An import of another file of the project, a package, or a Node module. */
export type Import = {
  readonly from: string;
  /** A path in the project, `node_modules/<package>/`, or `node:<module>`. */
  readonly to: string;
  /** True if it does not exist at run time. */
  readonly isTypeOnly: boolean;
};

const sources = '{functions,lib,schemas,scripts,packages/{sandbox,web}/src}/**/*.{ts,tsx}';

/** Returns all imports of the project's code without its tests. */
export function readImports(): readonly Import[] {
  return globSync(sources, { cwd: projectPath() }).flatMap((path) =>
    importsIn(path, readFileSync(projectPath(path), 'utf8')),
  );
}

/**
 * `import … from '…'` and `export … from '…'` at the start of a line, as the formatter writes them.
 */
const statement = /^(?:import|export)\s+(type\s+)?[\w$*{}\s,]*?\bfrom\s+'([^']+)'/gm;
const withEffectsOnly = /^import\s+'([^']+)'/gm;
const dynamic = /(\btypeof\s+)?\bimport\(\s*'([^']+)'\s*[,)]/g;

/** Returns the imports in the text of a file. Exported for its test. */
export function importsIn(from: string, text: string): readonly Import[] {
  const toImport = (written = '', isTypeOnly = false): Import => ({
    from,
    to: targetOf(from, written),
    isTypeOnly,
  });

  return [
    ...[...text.matchAll(statement)].map(([, type, path]) => toImport(path, type !== undefined)),
    ...[...text.matchAll(withEffectsOnly)].map(([, path]) => toImport(path)),
    ...[...text.matchAll(dynamic)].map(([, type, path]) => toImport(path, type !== undefined)),
  ];
}

function targetOf(from: string, written: string): string {
  if (written.startsWith('.')) {
    return posix.join(posix.dirname(from), written);
  }
  if (written.startsWith('#')) {
    // `imports` of package.json maps `#lib/…` to `./lib/…`, and so on.
    return written.slice(1);
  }

  return written.startsWith('node:') ? written : `node_modules/${packageOf(written)}/`;
}

function packageOf(written: string): string {
  return written
    .split('/')
    .slice(0, written.startsWith('@') ? 2 : 1)
    .join('/');
}
