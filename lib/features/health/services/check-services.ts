import { followIncidents } from '#lib/features/health/incidents/follow-incidents.ts';
import { type Probed, probed } from '#lib/features/health/probes/probes.ts';
import {
  type ProbeResult,
  runProbe,
  summarizeNetworks,
} from '#lib/features/health/probes/run-probe.ts';
import { now, secondMs } from '#lib/platform/clock.ts';
import { config } from '#lib/platform/config.ts';
import { describeFailure, logger } from '#lib/platform/log/logger.ts';
import { networkNames, type ServiceStatus, type SystemStatus } from '#schemas/health.ts';

/** How all dependencies are, each asked by itself, and the networks as one beside that. */
export type Checked = {
  readonly results: Readonly<Record<Probed | 'social', ProbeResult>>;
};

const maxAgeMs = 10 * secondMs;
export const probeLimitMs = 2 * secondMs;
/** So long an answer may wait for the incidents to be written. */
const incidentPatienceMs = 2 * secondMs;

let latest: { readonly checkedAt: number; readonly checked: Promise<Checked> } | undefined;
const uses = { hits: 0, all: 0 };

/** How all dependencies are: asked at once, at most ten seconds ago. */
export function checkServices(): Promise<Checked> {
  uses.all += 1;
  if (latest && now() - latest.checkedAt < maxAgeMs) {
    uses.hits += 1;

    return latest.checked;
  }
  latest = { checkedAt: now(), checked: check() };

  return latest.checked;
}

/** How often what was asked for was known already, 0 to 1. */
export function cacheHitRate(): number | null {
  return uses.all === 0 ? null : uses.hits / uses.all;
}

/** Has the next look ask anew. For tests. */
export function forgetChecks(): void {
  latest = undefined;
}

async function check(): Promise<Checked> {
  const results = await Promise.all(
    probed.map(async (name) => [name, await runProbe(name, probeLimitMs)] as const),
  );
  const byName = Object.fromEntries(results) as Record<Probed, ProbeResult>;
  if (byName.database.status !== 'outage') {
    await withPatience(followIncidents(results));
  }

  return {
    results: { ...byName, social: summarizeNetworks(networkNames.map((name) => byName[name])) },
  };
}

async function withPatience(following: Promise<void>): Promise<void> {
  const followed = following.catch((failure: unknown) => {
    logger.warn('Incidents were not written', { failure: describeFailure(failure) });
  });
  const patience = new Promise<void>((resolve) => {
    setTimeout(resolve, incidentPatienceMs).unref();
  });
  await Promise.race([followed, patience]);
}

/** How the service is as a whole. */
export function systemStatusOf({ results }: Checked): SystemStatus {
  if (config.isInMaintenance) {
    return 'maintenance';
  }
  if (results.database.status === 'outage') {
    return 'unhealthy';
  }
  const isWell = Object.values(results).every(({ status }) => status === 'operational');

  return isWell ? 'healthy' : 'degraded';
}

const asServiceStatus = {
  healthy: 'operational',
  degraded: 'degraded',
  unhealthy: 'outage',
  maintenance: 'maintenance',
} as const satisfies Record<SystemStatus, ServiceStatus>;

/** The same, in the words for a part of it. */
export function serviceStatusOf(status: SystemStatus): ServiceStatus {
  return asServiceStatus[status];
}
