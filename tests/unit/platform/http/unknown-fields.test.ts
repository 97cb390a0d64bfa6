import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { findUnknownFields } from '#lib/platform/http/unknown-fields.ts';

const person = z.object({ email: z.string(), name: z.string() });
const schema = z.object({
  scheduledAt: z.string().optional(),
  contact: person.nullish(),
  people: z.array(person).default([]),
  metadata: z.record(z.string(), z.unknown()).optional(),
  anything: z.unknown(),
  flag: z.preprocess((value) => value, person).optional(),
  choice: z.union([z.object({ kind: z.string(), url: z.string() }), person]).optional(),
  strict: z.strictObject({ a: z.string() }).optional(),
});

function messagesOf(given: unknown): readonly string[] {
  return findUnknownFields(schema, given, 'body').map(({ message }) => message);
}

describe('findUnknownFields', () => {
  it.each<[unknown, string, string | undefined]>([
    [{ scheduledFor: 'x' }, 'scheduledFor', 'scheduledAt'],
    [{ scheduled_at: 'x' }, 'scheduled_at', 'scheduledAt'],
    [{ scheduldAt: 'x' }, 'scheduldAt', 'scheduledAt'],
    [{ contact: { emial: 'x' } }, 'contact.emial', 'contact.email'],
    [{ contact: { nmae: 'x' } }, 'contact.nmae', 'contact.name'],
    [{ people: [{ email: '' }, { Email: '' }] }, 'people.1.Email', 'people.1.email'],
    [{ flag: { mail: '' } }, 'flag.mail', 'flag.email'],
    [{ choice: { kind: '', ulr: '' } }, 'choice.ulr', 'choice.url'],
    [{ entirelyDifferent: 1 }, 'entirelyDifferent', undefined],
    [{ __proto__x: 1 }, '__proto__x', undefined],
    [{ scheduledAt: 'x', scheduledAtt: 'x' }, 'scheduledAtt', undefined],
  ])('reports %j by its path, with the nearest missing name', (given, path, meant) => {
    const suggestion = meant === undefined ? '' : ` Did you mean ${meant}?`;

    expect(findUnknownFields(schema, given, 'body')).toEqual([
      {
        in: 'body',
        path,
        rule: 'unknown',
        message: `${path} is not a field of this request.${suggestion}`,
      },
    ]);
  });

  it.each([
    { scheduledAt: 'x', contact: { email: '', name: '' } },
    { metadata: { any: { thing: 1 } }, anything: { else: 1 } },
    { contact: null, people: {}, scheduledAt: ['x'] },
    { strict: { b: 'reported by the schema itself' } },
    [],
    'text',
    null,
  ])('reports nothing for %j', (given) => {
    expect(messagesOf(given)).toEqual([]);
  });

  it('reports at most 20 fields, and names of at most 100 characters', () => {
    const many = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`a${index}`, 1]));
    const [long] = messagesOf({ ['x'.repeat(5_000)]: 1 });

    expect(messagesOf(many)).toHaveLength(20);
    expect(long).toBe(`${'x'.repeat(100)} is not a field of this request.`);
  });
});
