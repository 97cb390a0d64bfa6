import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { describeIssues } from '#lib/platform/http/validation.ts';
import { email, id, name, optional, role, text } from '#schemas/common.ts';
import { exampleOf, fieldsOf, valueAt, withValue } from '#scripts/fixtures/fields.ts';
import { badValues } from '#tests/support/registry/bad-values.ts';

const keyword = z.object({
  keyword: name({ example: 'price' }),
  matchType: z.enum(['EXACT', 'CONTAINS']).meta({ example: 'EXACT' }),
  priority: z.int().min(1).max(1_000).meta({ example: 1 }),
});

/** Every kind of field that a body can have. */
const everyKind = z.object({
  title: text({ min: 2, max: 10, example: 'Title' }),
  email,
  ownerId: id(),
  role,
  value: z.number().min(0).max(100).meta({ example: 1.5 }),
  count: z.int().min(1).max(10).meta({ example: 2 }),
  isActive: z.boolean().meta({ example: true }),
  notes: optional(text({ max: 20, example: 'Notes' })),
  scheduledAt: z.iso.datetime().max(40).nullish().meta({ example: '2026-01-15T09:30:00.000Z' }),
  tags: z.array(text({ min: 1, max: 5, example: 'tag' })).max(3),
  keywords: z.array(keyword).min(1).max(4).optional(),
  contact: z.object({ email, phone: optional(text({ max: 30, example: '1' })) }),
  metadata: z
    .record(z.string().max(10), z.unknown())
    .optional()
    .meta({ example: { a: 1 } }),
});

const cases = fieldsOf(everyKind).flatMap((field) =>
  badValues(field, valueAt(exampleOf(everyKind), field.keys)).map((bad) => ({ ...bad, field })),
);

describe('badValues', () => {
  it('starts from a valid example and derives more than 100 cases', () => {
    expect(everyKind.safeParse(exampleOf(everyKind)).error).toBeUndefined();
    expect(cases.length).toBeGreaterThan(100);
  });

  it.each(cases)(
    'derives an invalid value for $field.path, $name: $says',
    ({ field, value, says }) => {
      const body = withValue(exampleOf(everyKind), field.keys, value);
      const { error } = everyKind.safeParse(body, { reportInput: true });

      expect(describeIssues(error?.issues ?? [])).toEqual([`${field.path} ${says}`]);
    },
  );

  it('reaches nested fields', () => {
    expect(fieldsOf(everyKind).map(({ path }) => path)).toEqual(
      expect.arrayContaining(['tags.0', 'keywords.0.matchType', 'contact.email', 'metadata']),
    );
  });

  it('throws for an unsupported kind of schema', () => {
    const odd = z.object({ either: z.union([z.string(), z.number()]) });

    expect(() => fieldsOf(odd)).toThrow(/either/);
  });
});
