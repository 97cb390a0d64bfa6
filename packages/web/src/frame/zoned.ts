/** Returns a time as the value of a `datetime-local` field, in a time zone. */
export function localTime(time: string | Date, timeZone: string): string {
  // Swedish dates are ISO 8601.
  return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' })
    .format(new Date(time))
    .replace(' ', 'T');
}

/** Returns the moment of a `datetime-local` value in a time zone. */
export function momentOf(local: string, timeZone: string): string {
  const wantedMs = Date.parse(`${local}Z`);
  const shownMs = (ms: number) => Date.parse(`${localTime(new Date(ms), timeZone)}Z`);
  const firstMs = wantedMs - (shownMs(wantedMs) - wantedMs);

  // Near a clock change, the offset at the computed time can differ from the first offset.
  return new Date(firstMs + wantedMs - shownMs(firstMs)).toISOString();
}
