import fc from 'fast-check';
import { exampleOf, fieldsOf, valueAt, withValue } from '#scripts/fixtures/fields.ts';
import type { Body } from '#scripts/fixtures/fixture.ts';

type Schema = Parameters<typeof exampleOf>[0];

/** Returns a seed for each endpoint that is the same in every run. */
export function seedOf(text: string): number {
  return [...text].reduce((seed, letter) => (seed * 31 + letter.charCodeAt(0)) | 0, 7);
}

const trapNames = fc.constantFrom(
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'pk',
  'sk',
  '#pk',
  ':v0',
  '$ref',
  '',
  '0',
  'a.b',
  'length',
  'then',
  'toJSON',
);

const traps = fc.constantFrom<unknown>(
  '',
  ' ',
  '\u0000',
  '\ud800',
  '\u202e',
  '😀'.repeat(50),
  "' OR 1=1 --",
  '%{jndi:ldap://x}',
  '{{constructor}}',
  '<script>alert(1)</script>',
  'a\r\nset-cookie: x=y',
  'PROFILE',
  'x'.repeat(20_000),
  '0192f0c1-7b5a-7c3e-9d2f-3a5b8c1d4e6f',
  'null',
  '2026-01-15T09:30:00.000Z',
  '9'.repeat(400),
  0,
  -0,
  -1,
  1e21,
  1e308,
  Number.MAX_SAFE_INTEGER + 2,
  5e-324,
  null,
  true,
  [],
  {},
  [[]],
  [null],
  { $set: { role: 'OWNER' } },
  { S: 'x' },
);

const surrogates = { first: 0xd800, count: 0x800 } as const;
const character = fc
  .integer({ min: 0, max: 0x10_ffff - surrogates.count })
  .map((code) => String.fromCodePoint(code < surrogates.first ? code : code + surrogates.count));

/** Texts of any characters. `fc.string` would first build a map of all 1.1 million characters. */
export function anyText(maxLength: number): fc.Arbitrary<string> {
  return fc.array(character, { maxLength }).map((characters) => characters.join(''));
}

const anything = fc.oneof(
  traps,
  anyText(200),
  fc.anything({
    key: fc.oneof(fc.string(), trapNames),
    maxDepth: 4,
    values: [fc.string(), fc.double(), fc.integer(), fc.boolean(), fc.constant(null), traps],
  }),
);

/** Returns JSON text, because an object literal cannot contain `__proto__`. */
function asJson(value: unknown): string {
  return JSON.stringify(value) ?? '';
}

/** Examples in which some known and unknown fields are replaced with any value. */
function mutations(schema: Schema): fc.Arbitrary<string> {
  const example = exampleOf(schema);
  const known = fieldsOf(schema).map(({ keys }) => keys);
  const unknown = trapNames.map((name): readonly string[] => [name]);
  const place = known.length > 0 ? fc.oneof(fc.constantFrom(...known), unknown) : unknown;
  const change = fc.tuple(place, anything);

  return fc.array(change, { minLength: 1, maxLength: 4 }).map((changes) => {
    const mutated = changes.reduce<Body>(
      (body, [keys, value]) => (isReachable(body, keys) ? withValue(body, keys, value) : body),
      example,
    );

    return asJson(mutated);
  });
}

function isReachable(body: Body, keys: readonly string[]): boolean {
  const parent = valueAt(body, keys.slice(0, -1));

  return typeof parent === 'object' && parent !== null;
}

const protoTexts = fc.constantFrom(
  '{"__proto__":{"polluted":true}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  '{"a":{"__proto__":[]}}',
  '{"__proto__":null}',
  '{"a":1e999}',
  '{"a":-1e999}',
  '{"a":"\\ud800"}',
  '{"a":"\\u0000"}',
  '{"a":1,"a":2}',
  `{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`,
  `${'{"a":'.repeat(33)}1${'}'.repeat(33)}`,
  '{"a":\u00a01}',
  '[',
  '\ufeff{}',
  'NaN',
);

/**
 * JSON values that are not objects: one of each kind, and each falsy one. None is a valid request
 * body.
 */
export const nonObjects = [
  '0',
  '-0',
  '1',
  'false',
  'true',
  'null',
  '""',
  '"x"',
  '[]',
  '[{}]',
] as const;

/** Any JSON text whose top-level value is not an object. */
export const nonObjectBodies = fc.oneof(
  fc.constantFrom(...nonObjects),
  fc.json().filter((text) => !text.startsWith('{')),
);

/** Request bodies as text, from nearly valid to random. */
export function bodiesFor(schema: Schema): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 6, arbitrary: mutations(schema) },
    { weight: 2, arbitrary: anything.map(asJson) },
    { weight: 1, arbitrary: protoTexts },
    { weight: 1, arbitrary: anyText(300) },
  );
}
