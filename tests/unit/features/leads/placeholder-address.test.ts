import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { placeholderAddress } from '#lib/features/leads/placeholder-address.ts';
import { email } from '#schemas/common.ts';
import { depth } from '#tests/support/depth.ts';

function addressOf(id: string): string {
  return placeholderAddress({ platform: 'YOUTUBE', customer: { id, name: 'Ada' } });
}

function spelling(character: string): string {
  return addressOf(character).replace(/@.*/, '');
}

const someId = fc.string({
  unit: fc.constantFrom('a', 'A', '_', '6', '1', '4', 'f', '5', '.', 'é', '🍕'),
  minLength: 1,
  maxLength: 12,
});
const anyId = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 300 });

describe('standInAddress', () => {
  it.each([
    ['a different last character', 'UC_x5XG1OV2P6uZZ5FSM9Ttw', 'UC_x5XG1OV2P6uZZ5FSM9Ttv'],
    ['a different case', 'yrZCpj2Z12', 'yrzcpj2z12'],
    ['the spelling of a character', 'a(', 'a_28_'],
    ['an id too long to spell out', 'a'.repeat(65), 'a'.repeat(66)],
  ])('returns different addresses for different ids: %s', (_, one, other) => {
    expect(addressOf(one)).not.toBe(addressOf(other));
  });

  it('returns a different address when the id contains escaped characters', () => {
    fc.assert(
      fc.property(someId, fc.infiniteStream(fc.boolean()), (id, isSpelled) => {
        const alike = [...id]
          .map((character) => (isSpelled.next().value ? spelling(character) : character))
          .join('');
        expect(addressOf(alike) === addressOf(id)).toBe(alike === id);
      }),
      { numRuns: depth(500) },
    );
  });

  it('returns a valid, normalized address for any id', () => {
    fc.assert(
      fc.property(anyId, (id) => {
        expect(email.parse(addressOf(id))).toBe(addressOf(id));
      }),
      { numRuns: depth(500) },
    );
  });
});
