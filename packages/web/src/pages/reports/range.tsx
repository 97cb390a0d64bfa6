import { useOrganization } from '../../frame/data.tsx';
import { useFilters } from '../../ui/filters.tsx';

/** Days in the organization's time zone, both inclusive. */
export type Range = { readonly from: string; readonly to: string };

const dayMs = 24 * 60 * 60_000;
/** The longest range that the API accepts. */
const mostDays = 366;

const presets: Readonly<Record<string, string>> = {
  7: 'Last 7 days',
  30: 'Last 30 days',
  90: 'Last 90 days',
  365: 'Last 12 months',
};
const defaultPreset = '30';
const ownRange = 'custom';

export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10);
}

export function daysBetween({ from, to }: Range): number {
  return (Date.parse(to) - Date.parse(from)) / dayMs + 1;
}

export function daysOf(range: Range): readonly string[] {
  return Array.from({ length: daysBetween(range) }, (_, index) => addDays(range.from, index));
}

/** Returns the range of the address. By default, it ends today in the organization's time zone. */
export function useRange(): Range {
  const { data } = useOrganization();
  const { filter } = useFilters();
  const [from, to] = [filter('from'), filter('to')];
  if (isDay(from) && isDay(to)) {
    return { from, to };
  }
  const days = Number(presets[filter('range')] ? filter('range') : defaultPreset);
  const end = todayIn(data?.organization.timezone);

  return { from: addDays(end, 1 - days), to: end };
}

function isDay(text: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text));
}

function todayIn(timeZone: string | undefined): string {
  const format = new Intl.DateTimeFormat('en', {
    ...(timeZone && { timeZone }),
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  const parts = Object.fromEntries(
    format.formatToParts(new Date()).map(({ type, value }) => [type, value]),
  );

  return `${parts.year}-${parts.month}-${parts.day}`;
}

/** Returns the reason why a range has no report, as a sentence for people. */
export function problemOf(range: Range): string | undefined {
  const days = daysBetween(range);
  if (days < 1) {
    return 'The first day is after the last one.';
  }

  return days > mostDays ? 'Choose at most 366 days.' : undefined;
}

/** A choice of common ranges, and two fields for any other range. Stored in the address. */
export function RangeFilter() {
  const { filter, set } = useFilters();
  const range = useRange();
  const isOwn = filter('from') !== '' || filter('to') !== '';
  const chosen = isOwn ? ownRange : filter('range') || defaultPreset;
  const choose = (value: string) =>
    value === ownRange
      ? set({ ...range, range: '' })
      : set({ from: '', to: '', range: value === defaultPreset ? '' : value });

  return (
    <div class="toolbar range">
      <select
        aria-label="Range"
        value={chosen}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      >
        {Object.entries({ ...presets, [ownRange]: 'Other range' }).map(([value, text]) => (
          <option key={value} value={value} selected={value === chosen}>
            {text}
          </option>
        ))}
      </select>
      {isOwn && (
        <>
          <Day label="From" value={range.from} onChange={(from) => set({ ...range, from })} />
          <Day label="To" value={range.to} onChange={(to) => set({ ...range, to })} />
        </>
      )}
    </div>
  );
}

function Day({
  label,
  value,
  onChange,
}: {
  readonly label: string;
  readonly value: string;
  readonly onChange: (day: string) => void;
}) {
  return (
    <label class="range-day">
      {label}
      <input
        type="date"
        required
        value={value}
        onChange={({ currentTarget }) => currentTarget.value && onChange(currentTarget.value)}
      />
    </label>
  );
}

/**
 * Returns the UTC days of a range, for reports that count by UTC days. A day of an organization
 * east of Greenwich begins on the previous UTC day. West of Greenwich, it ends on the next one.
 */
export function utcDaysOf({ from, to }: Range, timeZone: string | undefined): Range {
  const east = (day: string) => minutesEast(day, timeZone);

  return {
    from: east(from) > 0 ? addDays(from, -1) : from,
    to: east(to) < 0 ? addDays(to, 1) : to,
  };
}

function minutesEast(day: string, timeZone = 'UTC'): number {
  const name = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' })
    .formatToParts(new Date(day))
    .find(({ type }) => type === 'timeZoneName')?.value;
  const [, sign, hours = 0, minutes = 0] = /([+-])(\d+):?(\d*)/.exec(name ?? '') ?? [];

  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}
