import { localTime, momentOf } from '../../frame/zoned.ts';

/** A date in the organization's time zone, such as `2026-01-15`. */
export type Day = string;
export type View = 'month' | 'week';

const dayMs = 24 * 60 * 60_000;
const daysOfWeek = 7;

export function dayOf(time: string | Date, timeZone: string): Day {
  return localTime(time, timeZone).slice(0, 10);
}

export function addDays(day: Day, days: number): Day {
  return new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10);
}

/** Returns the same day of another month, or its last day if it is shorter. */
function addMonths(day: Day, months: number): Day {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  const lastDate = new Date(Date.UTC(year, month + months, 0)).getUTCDate();

  return new Date(Date.UTC(year, month - 1 + months, Math.min(date, lastDate)))
    .toISOString()
    .slice(0, 10);
}

/** Returns a day in the next or previous month or week. */
export function turn(day: Day, view: View, step: 1 | -1): Day {
  return view === 'week' ? addDays(day, step * daysOfWeek) : addMonths(day, step);
}

/**
 * Returns the days that a month or week shows. A month includes the whole of its first and last
 * week.
 */
export function daysShown(day: Day, view: View): readonly Day[] {
  const first = startOfWeek(view === 'week' ? day : `${day.slice(0, 7)}-01`);
  const last =
    view === 'week' ? first : startOfWeek(addDays(addMonths(`${day.slice(0, 7)}-01`, 1), -1));
  const days = (Date.parse(last) - Date.parse(first)) / dayMs + daysOfWeek;

  return Array.from({ length: days }, (_, index) => addDays(first, index));
}

function startOfWeek(day: Day): Day {
  const weekday = new Date(day).getUTCDay();

  return addDays(day, -((weekday - firstWeekday() + daysOfWeek) % daysOfWeek));
}

/** 0 is Sunday. The browser's language decides. Default: Monday. */
function firstWeekday(): number {
  try {
    const locale = new Intl.Locale(navigator.language) as Intl.Locale & {
      readonly getWeekInfo?: () => { readonly firstDay: number };
    };

    return (locale.getWeekInfo?.().firstDay ?? 1) % daysOfWeek;
  } catch {
    return 1;
  }
}

/** Returns the moments at which the days begin and end. */
export function rangeOf(days: readonly Day[], timeZone: string) {
  const [first = ''] = days;
  const afterLast = addDays(days.at(-1) ?? '', 1);

  return {
    from: momentOf(`${first}T00:00`, timeZone),
    to: new Date(Date.parse(momentOf(`${afterLast}T00:00`, timeZone)) - 1).toISOString(),
  };
}

/** Returns the same time on another day. */
export function onDay(time: string, day: Day, timeZone: string): string {
  return momentOf(`${day}${localTime(time, timeZone).slice(10)}`, timeZone);
}
