import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addGain, noTiming, presentTiming } from '#lib/features/content/posts/timing.ts';

const hourMs = 3_600_000;
const published = Date.parse('2026-01-05T10:00:00Z');

describe('post timing', () => {
  it('is empty without engagement', () => {
    expect(presentTiming(noTiming)).toEqual({
      bestPerformingHour: null,
      bestPerformingDay: null,
      averageEngagementTime: 0,
    });
  });

  it('returns the best hour, the best day, and the average time', () => {
    const gain = (engagement: number, hours: number) => ({
      engagement,
      publishedAtMs: published,
      fromMs: published + hours * hourMs,
      toMs: published + (hours + 1) * hourMs,
      timezone: 'UTC',
    });
    const timing = [gain(1, 0), gain(8, 2), gain(3, 26)].reduce(addGain, noTiming);

    expect(presentTiming(timing)).toEqual({
      bestPerformingHour: 12,
      bestPerformingDay: 'Monday',
      averageEngagementTime: Math.round(((0.5 + 8 * 2.5 + 3 * 26.5) * 3600) / 12),
    });
  });

  it('counts gains and ignores losses, in any order of snapshots', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ engagement: fc.integer({ min: -50, max: 50 }), hours: fc.nat(500) })),
        (gains) => {
          const timing = gains.reduce(
            (sum, { engagement, hours }) =>
              addGain(sum, {
                engagement,
                publishedAtMs: published,
                fromMs: published + hours * hourMs,
                toMs: published + (hours + 1) * hourMs,
                timezone: 'UTC',
              }),
            noTiming,
          );
          const came = gains.reduce((sum, { engagement }) => sum + Math.max(0, engagement), 0);
          const sumOf = (amounts: Readonly<Record<string, number>>) =>
            Object.values(amounts).reduce((sum, amount) => sum + amount, 0);

          expect([timing.engagement, sumOf(timing.hours), sumOf(timing.days)]).toEqual([
            came,
            came,
            came,
          ]);
        },
      ),
    );
  });

  it('counts hours and days in the time zone', () => {
    const gain = {
      engagement: 5,
      publishedAtMs: published,
      fromMs: published + 6 * hourMs,
      toMs: published + 7 * hourMs,
      timezone: 'Asia/Tokyo',
    };

    expect(presentTiming(addGain(noTiming, gain))).toMatchObject({
      bestPerformingHour: 1,
      bestPerformingDay: 'Tuesday',
    });
  });

  it('has no best hour when snapshots are too far apart', () => {
    const timing = addGain(noTiming, {
      engagement: 5,
      publishedAtMs: published,
      fromMs: published,
      toMs: published + 24 * hourMs,
      timezone: 'UTC',
    });

    expect(presentTiming(timing)).toMatchObject({
      bestPerformingHour: null,
      bestPerformingDay: 'Monday',
    });
  });
});
