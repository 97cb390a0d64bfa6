import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  builtInVariables,
  fillIn,
  placeholderProblems,
  placeholdersOf,
} from '#lib/features/ai/placeholders.ts';
import { growthOf } from '#tests/support/cpu-growth.ts';
import { depth } from '#tests/support/depth.ts';

describe('template placeholders', () => {
  it('are listed once each, with or without spaces', () => {
    expect(placeholdersOf('{{a}} {{ b }} {{a}} {{}} {{1x}} {c} {{d-e}}')).toEqual(['a', 'b']);
  });

  it('must be declared or built in', () => {
    const content = `{{discount}} ${builtInVariables.map((name) => `{{${name}}}`).join(' ')}`;

    expect(placeholderProblems(content, ['discount'])).toEqual([]);
    expect(placeholderProblems('{{one}} {{tone}} {{two}}', [])).toEqual([
      'templateContent has placeholders that are not in inputVariables: one, two',
    ]);
  });

  it('are replaced with their value, or with nothing if there is none', () => {
    expect(fillIn('Dear {{customerName}},{{nothing}} bye', { customerName: 'Ada' })).toBe(
      'Dear Ada, bye',
    );
  });

  it('are not expanded inside of values', () => {
    const value = fc.oneof(fc.string(), fc.constantFrom('{{secret}}', '$&', '$1', '{{', '}}'));

    fc.assert(
      fc.property(value, value, (one, other) => {
        const values = { one, other, secret: 'SECRET' };

        expect(fillIn('<{{one}}|{{other}}>', values)).toBe(`<${one}|${other}>`);
      }),
    );
  });

  it('are replaced in one pass in any template, without an error', () => {
    const parts = fc.constantFrom('{{', '}}', '{', '}', '{{a}}', '{{{{a}}}}', '{{ b }}', ' ', '$&');
    const values = { a: '{{b}}', b: '{{a}}' };

    fc.assert(
      fc.property(fc.array(fc.oneof(parts, fc.string())), (pieces) => {
        const content = pieces.join('');
        const literals = content.split(/\{\{\s*[A-Za-z_]\w*\s*\}\}/);
        const filled = fillIn(content, values);
        expect(literals.every((literal) => filled.includes(literal))).toBe(true);
      }),
      { numRuns: depth(1_000) },
    );
    expect(fillIn('{{{{a}}}}', { a: 'b', b: 'secret' })).toBe('{{b}}');
  });

  it.each(['{', '{{', '{{ ', '{{a', '{{a}}', '{{a }', ' ', '{{                ', 'x'])(
    'are replaced in time proportional to the length of a text of "%s"',
    async (unit) => {
      const text = (size: number) => unit.repeat(size / unit.length);

      expect(await growthOf(text, (content) => fillIn(content, { a: 'x' }), 65_536)).toBeLessThan(
        4,
      );
    },
  );

  it('do not resolve inherited object properties', () => {
    expect(fillIn('{{constructor}}{{toString}}{{__proto__}}', {})).toBe('');
  });
});
