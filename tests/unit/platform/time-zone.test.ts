import { describe, expect, it } from 'vitest';
import { dayIn, endOfDay, hourAndWeekday, startOfDay, timeOfDay } from '#lib/platform/time-zone.ts';

const at = Date.parse('2026-01-15T22:05:00.000Z');
const iso = (ms: number) => new Date(ms).toISOString();

describe('time zones', () => {
  it.each([
    ['UTC', '22:05', '2026-01-15', 22, 4],
    ['Asia/Tokyo', '07:05', '2026-01-16', 7, 5],
    ['Asia/Kathmandu', '03:50', '2026-01-16', 3, 5],
    ['America/New_York', '17:05', '2026-01-15', 17, 4],
  ])('returns time, day, hour and weekday in %s', (zone, time, day, hour, weekday) => {
    expect([timeOfDay(at, zone), dayIn(at, zone), hourAndWeekday(at, zone)]).toEqual([
      time,
      day,
      { hour, weekday },
    ]);
  });

  it('writes midnight as 00:00', () => {
    expect(timeOfDay(Date.parse('2026-01-15T23:00:00.000Z'), 'Europe/Berlin')).toBe('00:00');
  });

  it.each([
    ['Asia/Tokyo', '2026-01-16', '2026-01-15T15:00:00.000Z', '2026-01-16T14:59:59.999Z'],
    ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00.000Z', '2026-03-29T21:59:59.999Z'],
    ['Europe/Berlin', '2026-10-25', '2026-10-24T22:00:00.000Z', '2026-10-25T22:59:59.999Z'],
    // Clocks skip midnight.
    ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00.000Z', '2026-04-24T20:59:59.999Z'],
    // Clocks go back at midnight, so 23:00 to 24:00 happens twice.
    ['Africa/Cairo', '2026-10-30', '2026-10-29T22:00:00.000Z', '2026-10-30T21:59:59.999Z'],
  ])('returns the bounds of a day in %s', (zone, day, start, end) => {
    expect([iso(startOfDay(day, zone)), iso(endOfDay(day, zone))]).toEqual([start, end]);
  });
});
