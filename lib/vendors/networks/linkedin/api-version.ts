/**
 * LinkedIn supports a version for a year. Sunset dates are between the 15th and the 22nd of the month
 * (learn.microsoft.com/linkedin/marketing/integrations/migrations, read on November 24, 2026).
 */
const firstSunsetDay = 15;

/** Returns when LinkedIn may start to reject an API version (`YYYYMM`) with 426. */
export function apiVersionEnd(version: string): Date {
  const year = Number(version.slice(0, 4));
  const month = Number(version.slice(4, 6));

  return new Date(Date.UTC(year + 1, month - 1, firstSunsetDay));
}
