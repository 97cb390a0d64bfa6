import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { maxTurnLength, maxTurnsLength } from '#lib/features/ai/last-turns.ts';
import { turnsOf } from '#lib/features/replies/compose-reply.ts';

const said = fc.record({
  direction: fc.constantFrom('IN' as const, 'OUT' as const),
  text: fc
    .tuple(fc.constantFrom('a', 'ж', '🍕'), fc.integer({ min: 1, max: 6_000 }))
    .map(([sign, count]) => sign.repeat(count)),
  status: fc.constantFrom('RECEIVED' as const, 'SENT' as const, 'FAILED' as const),
});

describe('turnsOf', () => {
  test('returns all messages in order, except those that failed to send', () => {
    const turns = turnsOf([
      { direction: 'IN', text: 'What is the price?', status: 'RECEIVED' },
      { direction: 'OUT', text: 'Ten pounds.', status: 'FAILED' },
      { direction: 'OUT', text: 'Ten pounds!', status: 'SENT' },
      { direction: 'IN', text: 'Thank you', status: 'RECEIVED' },
    ]);

    expect(turns).toEqual([
      { role: 'user', content: 'What is the price?' },
      { role: 'assistant', content: 'Ten pounds!' },
      { role: 'user', content: 'Thank you' },
    ]);
  });

  test('never exceeds the maximum length and always includes the latest messages', () => {
    fc.assert(
      fc.property(fc.array(said, { minLength: 1, maxLength: 20 }), (history) => {
        const contents = turnsOf(history).map(({ content }) => content);
        const arrived = history.filter(({ status }) => status !== 'FAILED');
        const latest = arrived.slice(arrived.length - contents.length);

        expect(contents.join('').length).toBeLessThanOrEqual(maxTurnsLength);
        expect(contents.length).toBeGreaterThanOrEqual(Math.min(arrived.length, 4));
        for (const [index, { text }] of latest.entries()) {
          const content = contents[index] ?? '';
          expect(text.startsWith(content)).toBe(true);
          expect(content.isWellFormed()).toBe(true);
          expect(content.length).toBeGreaterThanOrEqual(Math.min(text.length, maxTurnLength - 1));
        }
      }),
    );
  });
});
