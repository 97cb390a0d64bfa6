import type { JobDefinition } from '#schemas/contract.ts';

const unitSeconds: Readonly<Record<string, number>> = { minute: 60, hour: 3_600, day: 86_400 };

/** AWS does not accept a shorter one. */
const minEventAgeSeconds = 60;

/** Returns the seconds between two runs. */
export function intervalSeconds(schedule: JobDefinition['schedule']): number {
  const [, count, unit = ''] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(schedule) ?? [];
  const seconds = Number(count) * (unitSeconds[unit] ?? 0);
  if (!seconds) {
    throw new Error(`Only rates have a heartbeat and a maximum delay, not ${schedule}`);
  }

  return seconds;
}

/**
 * Returns how late a run may start: so that it ends before the next one starts. Later runs are
 * dropped, because the next one does their work. Otherwise, an hour of throttling would leave 60
 * events of a minutely job, all executed at once.
 */
export function maxEventAgeSeconds({
  schedule,
  timeoutSeconds,
}: Pick<JobDefinition, 'schedule' | 'timeoutSeconds'>): number {
  return Math.max(minEventAgeSeconds, intervalSeconds(schedule) - timeoutSeconds);
}
