import { dayMs, epochSeconds, now, timestamp } from '#lib/platform/clock.ts';
import { equals } from '#lib/platform/db/conditions.ts';
import { systemKeys, systemRanges } from '#lib/platform/db/keys/system.ts';
import { get, getMany, query } from '#lib/platform/db/read.ts';
import { change, create, remove, write } from '#lib/platform/db/write.ts';
import {
  apiError,
  notFound,
  overtaken,
  requireFound,
  wrongState,
} from '#lib/platform/errors/failures.ts';
import { newId } from '#lib/platform/ids.ts';

export const incidentStatuses = ['investigating', 'identified', 'monitoring', 'resolved'] as const;
export type IncidentStatus = (typeof incidentStatuses)[number];
export const impacts = ['minor', 'major', 'critical'] as const;
export type Impact = (typeof impacts)[number];

export type IncidentUpdate = {
  readonly at: string;
  readonly status: IncidentStatus;
  readonly message: string;
};

/** A current or past problem of a service. Each service has at most one open incident. */
export type Incident = {
  readonly id: string;
  readonly service: string;
  readonly title: string;
  readonly status: IncidentStatus;
  readonly impact: Impact;
  /** Opened because a probe failed, and resolved once the probe succeeds. */
  readonly isAutomatic: boolean;
  readonly updates: readonly IncidentUpdate[];
  /** Incremented by every update, for optimistic locking. */
  readonly revision: number;
  readonly startedAt: string;
  readonly updatedAt: string;
  readonly resolvedAt?: string;
};

export type OpenIncident = {
  readonly service: string;
  readonly incidentId: string;
  readonly isAutomatic: boolean;
};

const retentionSeconds = (90 * dayMs) / 1_000;
const shownMs = 7 * dayMs;
const maxShown = 50;

type NewIncident = Pick<Incident, 'service' | 'title' | 'impact' | 'isAutomatic'> & {
  readonly message: string;
};

/** @throws 409 if the service already has an open incident. */
export async function openIncident({ message, ...about }: NewIncident): Promise<Incident> {
  const at = timestamp();
  const incident: Incident = {
    ...about,
    id: newId(),
    status: 'investigating',
    updates: [{ at, status: 'investigating', message }],
    revision: 1,
    startedAt: at,
    updatedAt: at,
  };
  const { id, service, isAutomatic } = incident;
  const open: OpenIncident = { service, incidentId: id, isAutomatic };
  await write(
    create(systemKeys.openIncident(service), open, () =>
      apiError('IN_USE', `${service} already has an open incident`),
    ),
    create(systemKeys.incident(id), incident),
  );

  return incident;
}

/**
 * Adds an update to an incident. The status `resolved` closes it.
 *
 * @throws 404 if it does not exist, 409 if it is closed or was updated concurrently.
 */
export async function updateIncident(
  incidentId: string,
  status: IncidentStatus,
  message: string,
): Promise<Incident> {
  const incident = requireFound(await get<Incident>(systemKeys.incident(incidentId)), 'Incident');
  if (incident.status === 'resolved') {
    throw wrongState('The incident is closed', incident.status);
  }
  const at = timestamp();
  const isResolved = status === 'resolved';
  const changes = {
    status,
    updatedAt: at,
    revision: incident.revision + 1,
    updates: [...incident.updates, { at, status, message }],
    ...(isResolved ? { resolvedAt: at, expiresAtSeconds: epochSeconds(retentionSeconds) } : {}),
  };
  await write(
    change(systemKeys.incident(incidentId), {
      set: changes,
      when: equals('revision', incident.revision),
      onConditionFailed: () => overtaken('Someone else updated the incident'),
    }),
    ...(isResolved
      ? [
          remove(systemKeys.openIncident(incident.service), {
            when: equals('incidentId', incidentId),
          }),
        ]
      : []),
  );

  return { ...incident, ...changes };
}

export function listOpenIncidents(): Promise<readonly OpenIncident[]> {
  return query<OpenIncident>(systemRanges.openIncidents());
}

/** Returns open incidents and those resolved within the last week, newest first. */
export async function listIncidents(): Promise<readonly Incident[]> {
  const [latest, open] = await Promise.all([
    query<Incident>(systemRanges.incidents(), { newestFirst: true, limit: maxShown }),
    listOpenIncidents(),
  ]);
  const older = await readIncidents(
    open
      .map(({ incidentId }) => incidentId)
      .filter((openId) => latest.every(({ id }) => id !== openId)),
  );

  return [...latest, ...older].filter(
    ({ resolvedAt }) => !resolvedAt || Date.parse(resolvedAt) > now() - shownMs,
  );
}

async function readIncidents(incidentIds: readonly string[]): Promise<readonly Incident[]> {
  const found = await getMany<Incident>(incidentIds.map(systemKeys.incident));

  return found
    .filter((incident) => incident !== undefined)
    .sort((one, other) => other.startedAt.localeCompare(one.startedAt));
}

export type Maintenance = {
  readonly id: string;
  readonly title: string;
  readonly message: string;
  readonly startsAt: string;
  readonly endsAt: string;
};

export async function announceMaintenance(about: Omit<Maintenance, 'id'>): Promise<Maintenance> {
  const maintenance = { ...about, id: newId() };
  const endsAtSeconds = Math.ceil(Date.parse(about.endsAt) / 1_000);
  await write(
    create(systemKeys.maintenance(maintenance.id), {
      ...maintenance,
      expiresAtSeconds: endsAtSeconds + retentionSeconds,
    }),
  );

  return maintenance;
}

/** @throws 404 if it does not exist. */
export async function cancelMaintenance(maintenanceId: string): Promise<void> {
  await write(
    remove(systemKeys.maintenance(maintenanceId), {
      onConditionFailed: () => notFound('Maintenance'),
    }),
  );
}

/**
 * Returns maintenance windows that are upcoming, in progress, or ended within the last week, in
 * chronological order.
 */
export async function listMaintenance() {
  const all = await query<Maintenance>(systemRanges.maintenances(), {
    newestFirst: true,
    limit: maxShown,
  });

  return all
    .filter(({ endsAt }) => Date.parse(endsAt) > now() - shownMs)
    .map(presentMaintenance)
    .sort((one, other) => one.startsAt.localeCompare(other.startsAt));
}

function presentMaintenance({ id, title, message, startsAt, endsAt }: Maintenance) {
  const isOver = Date.parse(endsAt) <= now();
  const hasBegun = Date.parse(startsAt) <= now();
  const status = isOver
    ? ('completed' as const)
    : hasBegun
      ? ('in_progress' as const)
      : ('scheduled' as const);

  return { id, title, message, status, startsAt, endsAt };
}
