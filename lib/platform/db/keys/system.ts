import { beginningWith, type Key, type KeyRange, last, tenant, wholePartition } from './key.ts';

export const systemKeys = {
  /** What all instances did within a minute, five minutes or an hour that begins at `time`. */
  metrics: (level: string, time: string): Key => ({
    pk: metricsOfDay(level, time),
    sk: time,
  }),
  /** What happened on a route since ever. */
  routeMetrics: (route: string): Key => ({ pk: 'METRICS#routes', sk: route }),
  /** The calls of an organization in an hour that begins at `time`. */
  apiCalls: (organizationId: string, time: string): Key => ({
    pk: tenant(organizationId),
    sk: `API_CALLS#${time}`,
  }),
  incident: (incidentId: string): Key => ({ pk: 'INCIDENTS', sk: `INCIDENT#${incidentId}` }),
  /** The one incident of a dependency that is open. */
  openIncident: (service: string): Key => ({ pk: 'INCIDENTS', sk: `OPEN#${service}` }),
  maintenance: (maintenanceId: string): Key => ({
    pk: 'INCIDENTS',
    sk: `MAINTENANCE#${maintenanceId}`,
  }),
  idempotency: (fingerprint: string): Key => ({ pk: `IDEMPOTENCY#${fingerprint}`, sk: 'RECORD' }),
  rateWindow: (policy: string, subject: string, window: number): Key => ({
    pk: `RATE#${policy}#${subject}`,
    sk: `WINDOW#${window}`,
  }),
  /** Work that a change of state called for, in the partition of whom it is about. */
  outbox: (owner: Key, kind: string, workId: string): Key => ({
    pk: owner.pk,
    sk: `${outboxPrefix}${kind}#${workId}`,
  }),
};

export const systemRanges = {
  /** The figures of times that lie on one day. */
  metrics: (level: string, from: string, to: string): KeyRange => ({
    pk: metricsOfDay(level, from),
    from,
    to,
  }),
  routeMetrics: () => wholePartition(systemKeys.routeMetrics('').pk),
  apiCalls: (organizationId: string, from: string): KeyRange => ({
    pk: tenant(organizationId),
    from: systemKeys.apiCalls(organizationId, from).sk,
    to: systemKeys.apiCalls(organizationId, last).sk,
  }),
  incidents: () => beginningWith(systemKeys.incident('').pk, 'INCIDENT#'),
  openIncidents: () => beginningWith(systemKeys.incident('').pk, 'OPEN#'),
  maintenances: () => beginningWith(systemKeys.incident('').pk, 'MAINTENANCE#'),
};

function metricsOfDay(level: string, time: string): string {
  return `METRICS#${level}#${time.slice(0, 10)}`;
}

/** The route that a key of its figures names. */
export function routeOfMetrics({ sk }: Pick<Key, 'sk'>): string {
  return sk;
}

const outboxPrefix = 'OUTBOX#';

/** The kind of work that an outbox item's sort key names. */
export function outboxKind(sk: string): string | undefined {
  return sk.startsWith(outboxPrefix) ? sk.split('#')[1] : undefined;
}

/** What waits for its time, each kind read by a job or sweep of its own. */
export type DueQueue =
  | 'DUE'
  | 'PUBLISH'
  | 'PUBLISHING'
  | 'POST_METRICS'
  | 'TOKEN_REFRESH'
  | 'COMMENTS_POLL'
  | 'SILENCE'
  | 'METRICS'
  | 'REFILL'
  | 'RECONCILE';

export const dueShards = 4;

/** A partition of the due-work index. */
export function dueShard(queue: DueQueue, shard: number): string {
  return `${queue}#${shard}`;
}
