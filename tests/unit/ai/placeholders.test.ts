import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  builtInVariables,
  fillIn,
  placeholdersOf,
  requireKnownPlaceholders,
} from '#lib/ai/placeholders.ts';

describe('the placeholders of a template', () => {
  it('are found once each, with or without spaces', () => {
    expect(placeholdersOf('{{a}} {{ b }} {{a}} {{}} {{1x}} {c} {{d-e}}')).toEqual(['a', 'b']);
  });

  it('must be declared or built in', () => {
    const content = `{{discount}} ${builtInVariables.map((name) => `{{${name}}}`).join(' ')}`;

    expect(() => requireKnownPlaceholders(content, ['discount'])).not.toThrow();
    expect(() => requireKnownPlaceholders('{{one}} {{tone}} {{two}}', [])).toThrow(
      'templateContent has placeholders that are not in inputVariables: one, two',
    );
  });

  it('are filled with values, and with nothing where there is none', () => {
    expect(fillIn('Dear {{customerName}},{{nothing}} bye', { customerName: 'Ada' })).toBe(
      'Dear Ada, bye',
    );
  });

  it('are not to be had through values, whatever those hold', () => {
    const value = fc.oneof(fc.string(), fc.constantFrom('{{secret}}', '$&', '$1', '{{', '}}'));

    fc.assert(
      fc.property(value, value, (one, other) => {
        const values = { one, other, secret: 'SECRET' };

        expect(fillIn('<{{one}}|{{other}}>', values)).toBe(`<${one}|${other}>`);
      }),
    );
  });

  it('do not reach what every object has', () => {
    expect(fillIn('{{constructor}}{{toString}}{{__proto__}}', {})).toBe('');
  });
});
