import { describe, expect, test } from 'vitest';
import { isWithinHours } from '#lib/features/replies/business-hours.ts';

function within(hours: string, at: string, timezone = 'UTC'): boolean {
  const [start = '', end = ''] = hours.split('-');

  return isWithinHours({ start, end, timezone }, Date.parse(at));
}

describe('isWithinHours', () => {
  test.each([
    ['09:00-17:00', '2026-01-15T09:00:00Z', true],
    ['09:00-17:00', '2026-01-15T16:59:59Z', true],
    ['09:00-17:00', '2026-01-15T17:00:00Z', false],
    ['09:00-17:00', '2026-01-15T08:59:59Z', false],
    ['22:00-06:00', '2026-01-15T23:30:00Z', true],
    ['22:00-06:00', '2026-01-15T00:00:00Z', true],
    ['22:00-06:00', '2026-01-15T05:59:59Z', true],
    ['22:00-06:00', '2026-01-15T06:00:00Z', false],
    ['22:00-06:00', '2026-01-15T12:00:00Z', false],
    ['09:00-09:00', '2026-01-15T03:00:00Z', true],
  ])('returns, for hours %s at %s, %s', (hours, at, expected) => {
    expect(within(hours, at)).toBe(expected);
  });

  test.each([
    // London switches to summer time on March 29, 2026 at 01:00 UTC, and back on October 25.
    ['the day before summer time', '2026-03-28T08:30:00Z', false],
    ['the first day of summer time', '2026-03-29T08:30:00Z', true],
    ['the last day of summer time', '2026-10-24T08:30:00Z', true],
    ['the day after summer time', '2026-10-25T08:30:00Z', false],
  ])('uses local time in the configured time zone: %s', (_, at, expected) => {
    expect(within('09:00-17:00', at, 'Europe/London')).toBe(expected);
  });

  test('handles overnight hours on the night the clocks are set back', () => {
    const inNewYork = (at: string) => within('22:00-02:00', at, 'America/New_York');

    expect(inNewYork('2026-11-01T05:30:00Z')).toBe(true);
    expect(inNewYork('2026-11-01T06:30:00Z')).toBe(true);
    expect(inNewYork('2026-11-01T07:30:00Z')).toBe(false);
  });
});
