import { build } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { markConstantsPure, withoutDescriptions } from '#scripts/build/package/pure-schemas.ts';

/** Bundles a program that uses the given exports of a module, and returns the result. */
async function bundled(source: string, used: readonly string[]): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: `import { ${used} } from 'schemas'; globalThis.used = [${used}];` },
    bundle: true,
    format: 'esm',
    write: false,
    plugins: [
      {
        name: 'schemas',
        setup: ({ onResolve, onLoad }) => {
          onResolve({ filter: /^schemas$/ }, () => ({ path: 'schemas', namespace: 'test' }));
          onLoad({ filter: /^schemas$/, namespace: 'test' }, () => ({
            contents: markConstantsPure(source),
            loader: 'ts',
          }));
        },
      },
    ],
  });

  return outputFiles[0]?.text ?? '';
}

const source = `
const make = (name: string) => ({ name, optional: () => name, parts: [globalThis.part(name)] });
const shared = make('shared').optional();
export const first = make('first of all') as { readonly name: string };
export const second = { shared, made: make('second of all').optional() } as const;
export const all = [first, second] as const;
`;

describe('schemas in bundles', () => {
  test('removes only descriptions', () => {
    const described = `
export const word = text({ max: 9, example: 'x' }).meta({ of: other.meta({ id: 1 }) }).optional();
const made = (example) => z.object({ word: word.meta({ example }) }).strict().meta({ description: ')' });`;

    expect(withoutDescriptions(described)).toBe(`
export const word = text({ max: 9, example: 'x' }).optional();
const made = (example) => z.object({ word: word }).strict();`);
  });

  test('drops unused schemas with their dependencies', async () => {
    const text = await bundled(source, ['first']);

    expect(text).toContain('first of all');
    expect(text).not.toContain('second of all');
    expect(text).not.toContain('shared');
  });

  test('keeps used schemas with all their dependencies', async () => {
    const text = await bundled(source, ['second']);

    expect(text).toContain('second of all');
    expect(text).toContain('shared');
    expect(text).not.toContain('first of all');
  });

  test('does not change the values of schemas', async () => {
    const text = await bundled(source, ['all']);
    const scope: { used?: unknown; part: (name: string) => string } = {
      part: (name) => `part ${name}`,
    };
    new Function('globalThis', text)(scope);

    expect(scope.used).toEqual([
      [
        expect.objectContaining({ name: 'first of all', parts: ['part first of all'] }),
        { shared: 'shared', made: 'second of all' },
      ],
    ]);
  });
});
