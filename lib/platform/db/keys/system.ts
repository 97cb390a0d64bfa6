import {
  beginningWith,
  between,
  inTenant,
  type Key,
  key,
  last,
  tenant,
  wholePartition,
  workOf,
} from './key.ts';

export const systemKeys = {
  /** Metrics of all instances for the minute, five minutes or hour that starts at `time`. */
  metrics: (level: string, time: string) => key(metricsOfDay(level, time), time),
  /** Cumulative metrics of a route. */
  routeMetrics: (route: string) => key('METRICS#routes', route),
  /** API calls of an organization in the hour that starts at `time`. */
  apiCalls: (organizationId: string, time: string) => inTenant(organizationId, `API_CALLS#${time}`),
  incident: (incidentId: string) => key('INCIDENTS', `INCIDENT#${incidentId}`),
  /** The open incident of a dependency, at most one. */
  openIncident: (service: string) => key('INCIDENTS', `OPEN#${service}`),
  maintenance: (maintenanceId: string) => key('INCIDENTS', `MAINTENANCE#${maintenanceId}`),
  idempotency: (fingerprint: string) => key(`IDEMPOTENCY#${fingerprint}`, 'RECORD'),
  rateWindow: (policy: string, subject: string, window: number) =>
    key(`RATE#${policy}#${subject}`, `WINDOW#${window}`),
  /** The leases of an organization on a worker. */
  workSlots: (organizationId: string, kind: string) => key(`WORK_SLOTS#${organizationId}`, kind),
  /** Work that a change requires, in the partition of the changed item. */
  outbox: (owner: Key, kind: string, workId: string) => key(owner.pk, `${workOf(kind)}${workId}`),
};

export const systemRanges = {
  metrics: (level: string, from: string, to: string) =>
    between(metricsOfDay(level, from), from, to),
  routeMetrics: () => wholePartition(systemKeys.routeMetrics('').pk),
  apiCalls: (organizationId: string, from: string) =>
    between(
      tenant(organizationId),
      systemKeys.apiCalls(organizationId, from).sk,
      systemKeys.apiCalls(organizationId, last).sk,
    ),
  incidents: () => beginningWith(systemKeys.incident('').pk, 'INCIDENT#'),
  openIncidents: () => beginningWith(systemKeys.incident('').pk, 'OPEN#'),
  maintenances: () => beginningWith(systemKeys.incident('').pk, 'MAINTENANCE#'),
};

function metricsOfDay(level: string, time: string): string {
  return `METRICS#${level}#${time.slice(0, 10)}`;
}

export function routeOfMetrics({ sk }: Pick<Key, 'sk'>): string {
  return sk;
}

export { outboxKind } from './key.ts';

/** Queues of the due-work index. Each is processed by its own job or sweep. */
export type DueQueue =
  | 'DUE'
  | 'PUBLISH'
  | 'PUBLISHING'
  | 'POST_METRICS'
  | 'TOKEN_REFRESH'
  | 'COMMENTS_POLL'
  | 'SILENCE'
  | 'UNANSWERED'
  | 'METRICS'
  | 'POSTS_IMPORT'
  | 'RETENTION'
  | 'REFILL'
  | 'RECONCILE';

/**
 * All organizations share these partitions, and each partition accepts 1,000 writes a second. An
 * answered message writes 6 to 12 entries, so 32 partitions are enough for about 3,000 a second.
 * Fewer would throttle the whole table long before its limit. More would cost reads while the
 * service is idle. See decision 0004.
 */
export const dueShards = 32;

export function dueShard(queue: DueQueue, shard: number): string {
  return `${queue}#${shard}`;
}
