import { timestamp } from '#lib/platform/clock.ts';
import type { NormalisedEvent } from '#lib/vendors/networks/network.ts';

/**
 * Returns the event's time. Returns the current time if it is invalid, in the future or before
 * 1970.
 */
export function timeOf({ occurredAt }: Pick<NormalisedEvent, 'occurredAt'>): string {
  const [now, said] = [timestamp(), Date.parse(occurredAt)];

  return said >= 0 && said <= Date.parse(now) ? new Date(said).toISOString() : now;
}
