import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { slotTimes } from '#lib/features/content/slots/slot-times.ts';
import { dayMs, minuteMs } from '#lib/platform/clock.ts';
import { depth } from '#tests/support/depth.ts';

const days = { Sunday: 7, Monday: 1, Wednesday: 3 };

/** Returns the times of a slot on the days from `from` to `to`, in UTC. */
function timesOf(zone: string, slot: { weekday: number; time: string }, from: string, to: string) {
  const period = { after: Date.parse(from), until: Date.parse(to) };

  return [...slotTimes([slot], zone, period)].map((at) => new Date(at).toISOString());
}

describe('slot times around a change of the clocks', () => {
  it.each([
    // 02:00 to 03:00 is skipped.
    ['Europe/Berlin', '09:30', '2026-03-21', ['2026-03-22T08:30', '2026-03-29T07:30']],
    ['Europe/Berlin', '02:30', '2026-03-21', ['2026-03-22T01:30', '2026-03-29T01:30']],
    ['America/New_York', '09:30', '2026-02-28', ['2026-03-01T14:30', '2026-03-08T13:30']],
    ['America/New_York', '02:15', '2026-02-28', ['2026-03-01T07:15', '2026-03-08T07:15']],
    // 02:00 to 02:30 is skipped.
    ['Australia/Lord_Howe', '09:30', '2026-09-25', ['2026-09-26T23:00', '2026-10-03T22:30']],
    ['Australia/Lord_Howe', '02:15', '2026-09-25', ['2026-09-26T15:45', '2026-10-03T15:45']],
    // 02:00 to 03:00 occurs twice.
    ['Europe/Berlin', '09:30', '2026-10-17', ['2026-10-18T07:30', '2026-10-25T08:30']],
    ['Europe/Berlin', '02:30', '2026-10-17', ['2026-10-18T00:30', '2026-10-25T00:30']],
    ['America/New_York', '09:30', '2026-10-24', ['2026-10-25T13:30', '2026-11-01T14:30']],
    ['America/New_York', '01:15', '2026-10-24', ['2026-10-25T05:15', '2026-11-01T05:15']],
    // 01:30 to 02:00 occurs twice.
    ['Australia/Lord_Howe', '09:30', '2026-03-27', ['2026-03-28T22:30', '2026-04-04T23:00']],
    ['Australia/Lord_Howe', '01:45', '2026-03-27', ['2026-03-28T14:45', '2026-04-04T14:45']],
  ])('keeps %s %s, from %s', (zone, time, from, expected) => {
    const begin = `${from}T12:00:00.000Z`;
    const end = new Date(Date.parse(begin) + 10 * dayMs).toISOString();

    expect(timesOf(zone, { weekday: days.Sunday, time }, begin, end)).toEqual(
      expected.map((minute) => `${minute}:00.000Z`),
    );
  });

  it('moves a skipped time into the next day where the last hour is skipped', () => {
    // In Nuuk, 23:00 to 24:00 on Saturday is skipped.
    const times = slotTimes(
      [
        { weekday: 6, time: '23:30' },
        { weekday: 7, time: '00:10' },
        { weekday: 7, time: '00:30' },
        { weekday: 7, time: '00:50' },
      ],
      'America/Nuuk',
      { after: Date.parse('2026-03-28T12:00:00Z'), until: Date.parse('2026-03-29T12:00:00Z') },
    );

    expect([...times].map((at) => new Date(at).toISOString().slice(11, 16))).toEqual([
      '01:10',
      '01:30',
      '01:50',
    ]);
  });
});

describe('slot times', () => {
  it('are later than the beginning, and not later than the end', () => {
    const slot = { weekday: days.Monday, time: '10:00' };

    expect(timesOf('UTC', slot, '2026-01-05T10:00:00Z', '2026-01-19T10:00:00Z')).toEqual([
      '2026-01-12T10:00:00.000Z',
      '2026-01-19T10:00:00.000Z',
    ]);
  });

  it('are in order and without duplicates', () => {
    const slots = [
      { weekday: days.Wednesday, time: '10:00' },
      { weekday: days.Monday, time: '11:00' },
      { weekday: days.Monday, time: '11:00' },
      { weekday: days.Monday, time: '09:00' },
    ];
    const period = { after: Date.parse('2026-01-05'), until: Date.parse('2026-01-10') };
    const times = [...slotTimes(slots, 'UTC', period)];

    expect(times.map((at) => new Date(at).toISOString().slice(0, 16))).toEqual([
      '2026-01-05T09:00',
      '2026-01-05T11:00',
      '2026-01-07T10:00',
    ]);
  });

  it('is empty without slots', () => {
    expect([...slotTimes([], 'UTC', { after: 0, until: 30 * dayMs })]).toEqual([]);
  });
});

/** Returns the weekday (1 to 7), date and time of an instant in local time. */
function wallClock(zone: string): (atMs: number) => { day: string; time: string; weekday: number } {
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone: zone,
    dateStyle: 'short',
    timeStyle: 'short',
  });

  return (atMs) => {
    const [day = '', time = ''] = format.format(atMs).split(' ');

    return { day, time, weekday: new Date(day).getUTCDay() || 7 };
  };
}

/** Returns the changes of all clocks in a year, to the minute. */
function clockChanges(): ReadonlyArray<{ readonly timeZone: string; readonly changeMs: number }> {
  const weekMs = 7 * dayMs;

  return Intl.supportedValuesOf('timeZone').flatMap((timeZone) => {
    const read = wallClock(timeZone);
    const weeks = Array.from({ length: 52 }, (_, week) => Date.parse('2026-01-01') + week * weekMs);

    return weeks
      .filter((fromMs) => minutesSkipped(read, fromMs, fromMs + weekMs) !== 0)
      .map((fromMs) => ({ timeZone, changeMs: findChange(read, fromMs, fromMs + weekMs) }));
  });
}

function findChange(read: ReturnType<typeof wallClock>, fromMs: number, toMs: number): number {
  let [low, high] = [fromMs, toMs];
  while (high - low > minuteMs) {
    const middle = low + Math.floor((high - low) / 2 / minuteMs) * minuteMs;
    [low, high] = minutesSkipped(read, fromMs, middle) === 0 ? [middle, high] : [low, middle];
  }

  return high;
}

describe('slot times around any change of clocks', () => {
  it('are the first minutes at which the clock shows their time', () => {
    const changes = clockChanges();
    const change = fc.constantFrom(...changes);
    const minutesFromChange = fc.integer({ min: -180, max: 180 });
    expect(changes.length).toBeGreaterThan(200);
    fc.assert(
      fc.property(change, minutesFromChange, ({ timeZone, changeMs }, minutes) => {
        const read = wallClock(timeZone);
        const { weekday } = read(changeMs);
        // The same time on the previous day, when clocks show every time.
        const { time } = read(changeMs - dayMs + minutes * minuteMs);
        const period = { after: changeMs - 1.5 * dayMs, until: changeMs + 1.5 * dayMs };
        const found = new Set(slotTimes([{ weekday, time }], timeZone, period));
        const shown = new Set<string>();
        for (let atMs = period.after; atMs <= period.until; atMs += minuteMs) {
          const clock = read(atMs);
          if (clock.weekday === weekday && clock.time === time && !shown.has(clock.day)) {
            shown.add(clock.day);
            expect(found.delete(atMs)).toBe(true);
          }
        }
        // The other times are skipped by the clock, and occur later by the skipped time.
        for (const atMs of found) {
          const skipped = minutesSkipped(read, changeMs - dayMs, atMs);
          const late = read(atMs - dayMs).time;
          expect([atMs >= changeMs, skipped > 0, late]).toEqual([true, true, time]);
          expect(atMs - changeMs).toBeLessThan(skipped * minuteMs);
        }
        expect(shown.size + found.size).toBe(1);
      }),
      { numRuns: depth(15, 500) },
    );
  });
});

/** Returns the number of minutes that the clock skipped in a period. */
function minutesSkipped(read: ReturnType<typeof wallClock>, fromMs: number, toMs: number): number {
  const shownAt = (ms: number) => Date.parse(`${read(ms).day}T${read(ms).time}Z`);

  return (shownAt(toMs) - shownAt(fromMs) - (toMs - fromMs)) / minuteMs;
}
