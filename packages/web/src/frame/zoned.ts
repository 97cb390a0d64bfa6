/** Returns a time as the value of a `datetime-local`, on the clocks of a time zone. */
export function localTime(time: string | Date, timeZone: string): string {
  // Swedish dates are ISO 8601.
  return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' })
    .format(new Date(time))
    .replace(' ', 'T');
}

/** Returns the moment at which the clocks of a time zone show the value of a `datetime-local`. */
export function momentOf(local: string, timeZone: string): string {
  const wantedMs = Date.parse(`${local}Z`);
  const shownMs = (ms: number) => Date.parse(`${localTime(new Date(ms), timeZone)}Z`);
  const firstMs = wantedMs - (shownMs(wantedMs) - wantedMs);

  // The offset can be another one at the time that the first offset leads to.
  return new Date(firstMs + wantedMs - shownMs(firstMs)).toISOString();
}
