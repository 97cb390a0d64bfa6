import type { JobDefinition } from '#schemas/contract.ts';

const unitSeconds: Readonly<Record<string, number>> = { minute: 60, hour: 3_600, day: 86_400 };

/** The minimum that AWS accepts. */
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
 * Returns how late a run may start, so that it ends before the next run starts. Later runs are
 * dropped, because the next run does their work. Otherwise, after an hour of throttling, 60 events
 * of a minutely job would run at once.
 */
export function maxEventAgeSeconds({
  schedule,
  timeoutSeconds,
}: Pick<JobDefinition, 'schedule' | 'timeoutSeconds'>): number {
  return Math.max(minEventAgeSeconds, intervalSeconds(schedule) - timeoutSeconds);
}
