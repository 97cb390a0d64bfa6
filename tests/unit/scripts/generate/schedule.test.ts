import { describe, expect, it } from 'vitest';
import { intervalSeconds, maxEventAgeSeconds } from '#scripts/build/generate/schedule.ts';

describe('a schedule', () => {
  it.each([
    ['rate(1 minute)', 60],
    ['rate(5 minutes)', 300],
    ['rate(1 hour)', 3_600],
    ['rate(2 days)', 172_800],
  ] as const)('%s runs every %i seconds', (schedule, seconds) => {
    expect(intervalSeconds(schedule)).toBe(seconds);
  });

  it('without a rate is rejected, because its heartbeat could not be watched', () => {
    expect(() => intervalSeconds('cron(0 9 * * ? *)')).toThrow('not cron(0 9 * * ? *)');
  });

  it('drops runs that would not end before the next one, but accepts a minute of delay', () => {
    const times = { schedule: 'rate(15 minutes)', timeoutSeconds: 300 } as const;

    expect(maxEventAgeSeconds(times)).toBe(600);
    expect(maxEventAgeSeconds({ ...times, timeoutSeconds: 890 })).toBe(60);
  });
});
