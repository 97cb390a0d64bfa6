import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { describeIssues, issueOf } from '#lib/platform/http/validation.ts';
import {
  dateOrTime,
  dayOrTime,
  email,
  isStorableJson,
  isTimeZoneName,
  isWellFormedText,
  momentInAnyZone,
  name,
  optional,
  publicText,
  queryInteger,
  text,
  webUrl,
} from '#schemas/common.ts';
import { depth } from '#tests/support/depth.ts';

function messagesOf(schema: z.ZodType, input: unknown): readonly string[] {
  const parsed = schema.safeParse(input, { reportInput: true });

  return describeIssues(parsed.error?.issues ?? []);
}

const short = text({ min: 2, max: 5, example: 'abc' });

describe('validation messages', () => {
  it.each<[string, z.ZodType, unknown]>([
    ['field is required', short, undefined],
    ['field must be a string', short, 7],
    ['field must be a string', short, null],
    ['field must be a string', short, ['abc']],
    ['field must be at least 2 characters', short, 'a'],
    ['field must be shorter than or equal to 5 characters', short, 'abcdef'],
    ['field should not be empty', name({ example: 'a' }), '   '],
    ['field must be an email', email, 'nobody'],
    ['field must be an email', email, 'ada@'],
    ['field must be a number', z.number(), '7'],
    ['field must be an integer', z.int(), 1.5],
    ['field must not be less than 1', queryInteger({ min: 1, max: 9, default: 1 }), '0'],
    ['field must not be greater than 9', queryInteger({ min: 1, max: 9, default: 1 }), '10'],
    ['field must be a number', queryInteger({ min: 1, max: 9, default: 1 }), '10abc'],
    ['field must not be less than 1', queryInteger({ min: 1, max: 9, default: 1 }), '-1'],
    ['field must be an integer', queryInteger({ min: 1, max: 9, default: 1 }), '1.5'],
    ['field must be a boolean', z.boolean(), 'true'],
    ['field must be an array', z.array(z.string()), {}],
    ['field must contain at least 1 elements', z.array(z.string()).min(1), []],
    ['field must contain no more than 1 elements', z.array(z.string()).max(1), ['a', 'b']],
    ['field must be an object', z.object({}), 'text'],
    ['field must be one of the following values: A, B', z.enum(['A', 'B']), 'C'],
    ['field is required', z.enum(['A', 'B']), undefined],
    ['field must be a valid UUID', z.uuid(), 'x'],
    ['field must be an http or https URL without credentials', webUrl, 'javascript:alert(1)'],
    ['field must be an http or https URL without credentials', webUrl, 'https://a:b@example.com'],
    ['field must be an http or https URL without credentials', webUrl, 'https:example.com'],
    [
      'field must be an http or https URL without credentials',
      webUrl,
      'https://example.com/\nX: y',
    ],
    ['field must be an http or https URL without credentials', webUrl, 'https://a.com\\@b.com'],
    [
      'field has a name that should not be empty',
      z.record(name({ example: 'a' }), z.unknown()),
      { '': 1 },
    ],
    ['field must not contain NUL characters or lone surrogates', short, 'a\u0000b'],
    ['field must not contain NUL characters or lone surrogates', short, 'a\ud800'],
    ['field should not be empty', name({ example: 'a' }), ' \n'],
    ['field should not be empty', name({ example: 'a' }), '\u200b\u00ad'],
    ['field should not be empty', name({ example: 'a' }), '\u3164\ufe0f \u0007'],
    ['field should not be empty', publicText({ max: 9, example: 'a' }), ' \n'],
  ])('returns "%s"', (message, schema, input) => {
    expect(messagesOf(z.object({ field: schema }), { field: input })).toEqual([message]);
  });

  it('starts a message with the dotted path of the field', () => {
    const schema = z.object({
      contact: z.object({ email }),
      keywords: z.array(z.object({ matchType: z.enum(['EXACT', 'CONTAINS']) })),
    });
    const input = { contact: { email: 'x' }, keywords: [{ matchType: 'EXACT' }, {}] };

    expect(messagesOf(schema, input)).toEqual([
      'contact.email must be an email',
      'keywords.1.matchType is required',
    ]);
  });

  it('returns one message per field', () => {
    const field = z
      .string()
      .min(9)
      .refine(() => false, { error: 'is wrong' });
    const schema = z.object({ one: field, two: field });

    expect(messagesOf(schema, { one: 'a', two: 'b' })).toEqual([
      'one must be at least 9 characters',
      'two must be at least 9 characters',
    ]);
  });

  it('never includes the submitted value', async () => {
    const schema = z.object({ password: text({ min: 8, max: 20, example: 'x' }), email });
    await fc.assert(
      fc.property(fc.string({ minLength: 21, unit: 'grapheme-ascii' }), (secret) => {
        const messages = messagesOf(schema, { password: secret, email: `<${secret}>` });
        expect(messages.join()).not.toContain(secret);
      }),
      { numRuns: depth(200) },
    );
  });
});

describe('text schema', () => {
  it('accepts well-formed text unchanged and rejects other text', async () => {
    const free = text({ max: 1_000, example: '' });
    await fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 1_000 }), (value) => {
        const parsed = free.safeParse(value);
        expect(parsed.success).toBe(isWellFormedText(value) && value.length <= 1_000);
        expect(parsed.data ?? value).toBe(value);
      }),
      { numRuns: depth(50, 3_000) },
    );
  });

  it('accepts null or a missing value when optional', () => {
    const schema = z.object({ field: optional(short) });

    expect(messagesOf(schema, {})).toEqual([]);
    expect(messagesOf(schema, { field: null })).toEqual([]);
    expect(messagesOf(schema, { field: '' })).toHaveLength(1);
  });
});

describe('timestamps', () => {
  const moment = momentInAnyZone('2035-01-15T09:30:00.000Z', 'In the future');

  it.each([
    ['2035-01-01T12:00:00+05:30', '2035-01-01T06:30:00.000Z'],
    ['2035-01-01T12:00Z', '2035-01-01T12:00:00.000Z'],
    ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59.000Z'],
  ])('normalizes %s to UTC', (value, kept) => {
    expect(moment.parse(value)).toBe(kept);
    expect(dayOrTime('start').parse(value)).toBe(kept);
  });

  it.each(['9999-12-31T23:59:59-01:00', '0001-01-01T00:00:00+01:00', '0000-06-01T00:00:00Z'])(
    'rejects %s, because its UTC year is outside 1 to 9999',
    (value) => {
      const message = ['field must be between the years 1 and 9999'];
      for (const schema of [moment, dateOrTime('2026-01-15'), dayOrTime('end')]) {
        expect(messagesOf(z.object({ field: schema }), { field: value })).toEqual(message);
      }
    },
  );

  it.each(['2035-02-30T00:00:00Z', '2035-01-01T12:00:00', '2035-01-01', 'soon'])(
    'rejects %s',
    (value) => {
      expect(messagesOf(z.object({ field: moment }), { field: value })).toEqual([
        'field must be a valid ISO 8601 date string',
      ]);
    },
  );
});

describe('isTimeZoneName', () => {
  it.each(['Europe/Berlin', 'UTC', 'Etc/GMT+5'])('accepts %s', (value) => {
    expect(isTimeZoneName(value)).toBe(true);
  });

  it.each(['+02:00', '-0500', 'Mars/Phobos', ''])('rejects %j', (value) => {
    expect(isTimeZoneName(value)).toBe(false);
  });
});

describe('isStorableJson', () => {
  it.each([
    {},
    { a: [null, true, 'x', { b: -0 }] },
    { a: 1e-130, b: Number.MIN_SAFE_INTEGER, c: '' },
  ])('accepts %j', (value) => {
    expect(isStorableJson(value)).toBe(true);
  });

  it.each([
    { '': 1 },
    { a: { '': 1 } },
    { a: ['x\u0000'] },
    { 'a\ud800': 1 },
    { a: [{ b: '\ud800' }] },
    { a: Number.MAX_SAFE_INTEGER + 1 },
    { a: 1e126 },
    { a: -1e-131 },
    { a: Infinity },
  ])('rejects %j', (value) => {
    expect(isStorableJson(value)).toBe(false);
  });
});

describe('email schema', () => {
  it.each([
    [' Ada@Example.COM ', 'ada@example.com'],
    ['user@münchen.example', 'user@xn--mnchen-3ya.example'],
    ['user@MU\u0308NCHEN.example', 'user@xn--mnchen-3ya.example'],
    ['user@xn--mnchen-3ya.example', 'user@xn--mnchen-3ya.example'],
    ['info@пример.рф', 'info@xn--e1afmkfd.xn--p1ai'],
    ['info@例え。テスト', 'info@xn--r8jz45g.xn--zckzah'],
    ['info@भारत.भारत', 'info@xn--h2brj9c.xn--h2brj9c'],
    ['info@ישראל.ישראל', 'info@xn--4dbrk0ce.xn--4dbrk0ce'],
    ['info@한국.한국', 'info@xn--3e0b707e.xn--3e0b707e'],
    ["o'hara+a_b-c@shop.museum", "o'hara+a_b-c@shop.museum"],
  ])('converts %j to %s', (typed, stored) => {
    expect(email.parse(typed)).toBe(stored);
  });

  it('ignores case and surrounding whitespace', async () => {
    await fc.assert(
      fc.property(
        fc.emailAddress().filter((address) => email.safeParse(address).success),
        fc.infiniteStream(fc.boolean()),
        (address, flips) => {
          const spelled = [...address]
            .map((letter) => (flips.next().value ? letter.toUpperCase() : letter.toLowerCase()))
            .join('');
          expect(email.parse(` ${spelled}\t`)).toBe(address.toLowerCase());
        },
      ),
      { numRuns: depth(300) },
    );
  });

  it.each([
    'a@b',
    '@example.com',
    'a b@example.com',
    'a@exa mple.com',
    'a@example.com, b@example.com',
    'Ada <a@example.com>',
    `${'a'.repeat(250)}@example.com`,
    'a@example.com\nBcc: b@example.com',
    'ada@münchen',
    'ada@mün/chen.de',
    'ada@mün%63hen.de',
    'ada@a@münchen.de',
    'ada@１２７.０.０.１',
    `ada@${'ü'.repeat(60)}.de`,
    'ädä@example.com',
  ])('rejects %s', (address) => {
    expect(email.safeParse(address).success).toBe(false);
  });
});

describe('issueOf', () => {
  const shape = {
    params: z.object({ lead_id: z.uuid() }),
    query: z.object({ limit: z.string() }),
    body: z.object({ contact: z.object({ email: z.string() }), media: z.string() }),
  };

  it.each([
    ['contact.email must be an email', 'body', 'contact.email', 'format'],
    ['contact.email is required', 'body', 'contact.email', 'required'],
    ['contact.email must be a string', 'body', 'contact.email', 'type'],
    ['contact.email should not be empty', 'body', 'contact.email', 'min'],
    ['contact must be at least 2 characters', 'body', 'contact', 'min'],
    ['media must contain no more than 1 elements', 'body', 'media', 'max'],
    ['media must be shorter than or equal to 5 characters', 'body', 'media', 'max'],
    ['media must not exceed 10,000 characters as JSON', 'body', 'media', 'max'],
    ['media must be one of the following values: A, B', 'body', 'media', 'enum'],
    ['media cannot be combined with contact', 'body', 'media', 'conflict'],
    ['media is not allowed', 'body', 'media', 'unknown'],
    ['media: the file is gone', 'body', '', 'rule'],
    ['media must fit', 'body', 'media', 'rule'],
    ['limit is too high: the response would exceed 6 MB', 'query', 'limit', 'max'],
    ['lead_id must be a valid UUID', 'path', 'lead_id', 'format'],
    ['X-Organization-Id must be a valid UUID', 'header', 'X-Organization-Id', 'format'],
    ['Request body must not be nested deeper than 32 levels', 'body', '', 'rule'],
    ['FACEBOOK rejected the request: no', 'body', '', 'rule'],
  ])('finds place, path and rule of "%s"', (message, place, path, rule) => {
    expect(issueOf(message, shape)).toEqual({ in: place, path, rule, message });
  });
});
