import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { plannedWriteProblems } from '#scripts/build/check/check-planned-writes.ts';

const kit = `
  export type Write = { readonly kind: 'create'; readonly key: string };
  export function create(): Write { return { kind: 'create', key: '' }; }
  export async function write(...writes: readonly Write[]): Promise<void> {}
`;

const options: ts.CompilerOptions = {
  lib: ['lib.es2022.d.ts'],
  types: [],
  allowImportingTsExtensions: true,
  noEmit: true,
  strict: true,
};
const disk = ts.createCompilerHost(options);
const library = new Map<string, ts.SourceFile | undefined>();

/** Parses each file of the standard library once, which takes longer than all tests. */
function fromLibrary(path: string, target: ts.ScriptTarget): ts.SourceFile | undefined {
  if (!library.has(path)) {
    library.set(path, disk.getSourceFile(path, target));
  }

  return library.get(path);
}

/** Returns the problems of a file that uses its own write kit. */
function problemsOf(code: string): string[] {
  const files = new Map([
    ['/kit.ts', kit],
    ['/code.ts', `import { create, write, type Write } from './kit.ts';\n${code}`],
  ]);
  const host: ts.CompilerHost = {
    ...disk,
    fileExists: (path) => files.has(path) || disk.fileExists(path),
    getSourceFile: (path, target) => {
      const source = files.get(path);
      const version = typeof target === 'object' ? target.languageVersion : target;

      return source === undefined
        ? fromLibrary(path, version)
        : ts.createSourceFile(path, source, target, true);
    },
  };

  return plannedWriteProblems(
    ts.createProgram(['/code.ts'], options, host),
    (path) => path === '/code.ts',
  );
}

describe('plannedWriteProblems', () => {
  it('reports a planned write that nobody executes', () => {
    const code = `
      function planLead(): readonly Write[] { return [create()]; }
      export async function createLead() { planLead(); await write(...planLead()); }
    `;

    expect(problemsOf(code)).toEqual([expect.stringContaining('nobody executes')]);
  });

  it('reports an awaited plan that nobody executes', () => {
    const code = `
      async function planLead(): Promise<Write> { return create(); }
      export async function createLead() { await planLead(); }
    `;

    expect(problemsOf(code)).toEqual([expect.stringContaining('nobody executes')]);
  });

  it('reports a function that returns writes under another name', () => {
    const code = 'export const countLead = () => ({ writes: [create()] });';

    expect(problemsOf(code)).toEqual([expect.stringContaining('countLead returns writes')]);
  });

  it('reports a plan that returns no writes', () => {
    const code = 'export async function planLead(): Promise<void> { await write(create()); }';

    expect(problemsOf(code)).toEqual([expect.stringContaining('planLead returns no writes')]);
  });

  it('accepts plans that are executed', () => {
    const code = `
      function planLead(): readonly Write[] { return [create()]; }
      export async function createLead() { await write(...planLead()); }
    `;

    expect(problemsOf(code)).toEqual([]);
  });
});
