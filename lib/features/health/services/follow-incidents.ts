import { ApiError } from '#lib/platform/errors/failures.ts';
import { logAlarmingError } from '#lib/platform/metrics/embedded-metrics.ts';
import {
  type Impact,
  listOpenIncidents,
  type OpenIncident,
  openIncident,
  updateIncident,
} from './incidents.ts';
import { partNames } from './part-names.ts';
import type { Probed } from './probes.ts';
import type { ProbeResult } from './run-probe.ts';

const impacts: Readonly<Partial<Record<Probed, Impact>>> = {
  database: 'critical',
  payment: 'major',
  ai: 'major',
  queue: 'major',
  secrets: 'major',
};

/**
 * Opens an incident for each service that is down, and resolves automatic incidents after recovery.
 * Several instances may call this concurrently; only one of them writes.
 */
export async function followIncidents(
  results: ReadonlyArray<readonly [Probed, ProbeResult]>,
): Promise<void> {
  const open = new Map((await listOpenIncidents()).map((one) => [one.service, one]));
  await Promise.all(results.map(([name, result]) => follow(name, result, open.get(name))));
}

async function follow(
  service: Probed,
  { status, error }: ProbeResult,
  open: OpenIncident | undefined,
): Promise<void> {
  try {
    if (status === 'outage' && !open) {
      await openIncident({
        service,
        title: `${partNames[service]}: down`,
        impact: impacts[service] ?? 'minor',
        isAutomatic: true,
        message: error ?? 'Unreachable',
      });
      logAlarmingError('IncidentOpened', 'An incident was opened', { dependency: service, error });
    }
    if (status !== 'outage' && open?.isAutomatic) {
      await updateIncident(open.incidentId, 'resolved', 'The service recovered');
    }
  } catch (failure) {
    // Another instance has already written the change.
    if (!(failure instanceof ApiError)) {
      throw failure;
    }
  }
}
