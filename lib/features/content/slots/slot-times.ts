import { dayMs } from '#lib/platform/clock.ts';
import { dayAfter, dayIn, instantOf, startOfDay } from '#lib/platform/time-zone.ts';
import type { PostingSlot } from './posting-slots.ts';

const sunday = 7;

/**
 * Yields the times of the slots in a period, in epoch milliseconds: in order, without duplicates,
 * later than `after`, and not later than `until`.
 */
export function* slotTimes(
  slots: ReadonlyArray<Pick<PostingSlot, 'weekday' | 'time'>>,
  timeZone: string,
  { after, until }: { readonly after: number; readonly until: number },
): Generator<number, void, undefined> {
  let passed = after;
  let waiting: readonly number[] = [];
  const lastDay = dayIn(until + dayMs, timeZone);
  // A time that clocks skip can move to the next day, so this starts one day earlier.
  for (let day = dayIn(after - dayMs, timeZone); day <= lastDay; day = dayAfter(day)) {
    const times = slots
      .filter(({ weekday }) => weekday === weekdayOf(day))
      .map(({ time }) => instantOf(`${day}T${time}`, timeZone));
    const sorted = [...waiting, ...times].toSorted((one, other) => one - other);
    const nextDay = startOfDay(dayAfter(day), timeZone);
    for (const at of sorted.filter((time) => time < nextDay)) {
      if (at > until) {
        return;
      }
      if (at > passed) {
        yield at;
        passed = at;
      }
    }
    waiting = sorted.filter((time) => time >= nextDay);
  }
}

/** Returns 1 for Monday to 7 for Sunday. */
function weekdayOf(day: string): number {
  return new Date(`${day}T00:00:00.000Z`).getUTCDay() || sunday;
}
