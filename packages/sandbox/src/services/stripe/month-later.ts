/**
 * Returns the time one month after `from`, on the same day of the month as `anchor`, or on the last
 * day of a shorter month.
 */
export function monthLater(from: number, anchor: number): number {
  const date = new Date(from * 1_000);
  const day = new Date(anchor * 1_000).getUTCDate();
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 2, 0)).getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + 1);
  date.setUTCDate(Math.min(day, lastDay));

  return date.getTime() / 1_000;
}
