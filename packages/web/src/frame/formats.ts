import { useMemo } from 'preact/hooks';
import { useOrganization } from './data.tsx';

const minuteMs = 60_000;
const units = [
  ['day', 24 * 60 * minuteMs],
  ['hour', 60 * minuteMs],
  ['minute', minuteMs],
] as const;

export type Formats = ReturnType<typeof formatsFor>;

/** Dates and numbers in the browser's language and the organization's time zone. */
export function useFormats(): Formats {
  const { data } = useOrganization();
  const timeZone = data?.organization.timezone;

  return useMemo(() => formatsFor(timeZone), [timeZone]);
}

/** Browsers on Linux may report a language that `Intl` does not accept, such as `en-US@posix`. */
function isLanguage(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length > 0;
  } catch {
    return false;
  }
}

function formatsFor(timeZone: string | undefined) {
  const languages = navigator.languages.filter(isLanguage);
  const zone = timeZone && { timeZone };
  const formatter = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(languages, { ...options, ...zone });

    return (time: string | Date) => format.format(new Date(time));
  };
  const relative = new Intl.RelativeTimeFormat(languages, { numeric: 'auto', style: 'short' });
  const numbers = new Intl.NumberFormat(languages);
  const percents = new Intl.NumberFormat(languages, { style: 'percent' });
  const date = formatter({ dateStyle: 'medium' });
  const days = new Intl.DateTimeFormat(languages, { dateStyle: 'medium', timeZone: 'UTC' });

  return {
    timeZone,
    date,
    time: formatter({ timeStyle: 'short' }),
    /** A calendar day, such as 2026-01-15, which is the same in every time zone. */
    day: (day: string) => days.format(new Date(day)),
    month: formatter({ month: 'long', year: 'numeric' }),
    weekday: formatter({ weekday: 'short' }),
    longDay: formatter({ weekday: 'long', month: 'long', day: 'numeric' }),
    dateTime: formatter({ dateStyle: 'medium', timeStyle: 'short' }),
    number: (value: number) => numbers.format(value),
    fileSize: (bytes: number) => {
      const unit = bytes < 1_000_000 ? 'kilobyte' : bytes < 1_000_000_000 ? 'megabyte' : 'gigabyte';
      const size = { kilobyte: 1_000, megabyte: 1_000_000, gigabyte: 1_000_000_000 }[unit];

      return new Intl.NumberFormat(languages, {
        style: 'unit',
        unit,
        maximumFractionDigits: unit === 'gigabyte' ? 1 : 0,
      }).format(unit === 'kilobyte' ? Math.ceil(bytes / size) : bytes / size);
    },
    percent: (fraction: number) => percents.format(fraction),
    /** Formats cents as an amount without a currency. */
    units: (cents: number) =>
      new Intl.NumberFormat(languages, {
        minimumFractionDigits: cents % 100 === 0 ? 0 : 2,
      }).format(cents / 100),
    money: (value: number, currency: string) =>
      new Intl.NumberFormat(languages, { style: 'currency', currency }).format(value),
    /** Formats a duration in the largest fitting unit: "3 days". */
    duration: (seconds: number) => {
      const [unit, ms] = units.find(([, size]) => seconds * 1_000 >= size) ?? ['second', 1_000];
      const value = Math.round((seconds * 10_000) / ms) / 10;

      return new Intl.NumberFormat(languages, { style: 'unit', unit, unitDisplay: 'long' }).format(
        value,
      );
    },
    /** Formats a past time: "5 min. ago", or the date after a week. */
    ago: (time: string | Date) => {
      const passedMs = new Date(time).getTime() - Date.now();
      const [unit, ms] = units.find(([, size]) => Math.abs(passedMs) >= size) ?? [
        'minute',
        minuteMs,
      ];

      return Math.abs(passedMs) > 7 * units[0][1]
        ? date(time)
        : relative.format(Math.round(passedMs / ms), unit);
    },
  };
}
