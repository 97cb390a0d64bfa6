import { now, secondMs } from '#lib/platform/clock.ts';
import { config } from '#lib/platform/config.ts';
import { describeFailure, logger } from '#lib/platform/log/logger.ts';
import { networkNames, type ServiceStatus, type SystemStatus } from '#schemas/health.ts';
import { followIncidents } from './follow-incidents.ts';
import { type Probed, probed } from './probes.ts';
import { type ProbeResult, runProbe, summarizeNetworks } from './run-probe.ts';

export type Checked = {
  readonly results: Readonly<Record<Probed | 'social', ProbeResult>>;
};

const maxAgeMs = 10 * secondMs;
export const probeLimitMs = 2 * secondMs;
/** Limits how long a response waits until incidents are written. */
const incidentTimeoutMs = 2 * secondMs;

let latest: { readonly checkedAt: number; readonly checked: Promise<Checked> } | undefined;
const uses = { hits: 0, all: 0 };

/** Returns the status of all dependencies, cached for ten seconds. */
export function checkServices(): Promise<Checked> {
  uses.all += 1;
  if (latest && now() - latest.checkedAt < maxAgeMs) {
    uses.hits += 1;

    return latest.checked;
  }
  latest = { checkedAt: now(), checked: check() };

  return latest.checked;
}

/** Returns the fraction of checks served from the cache, from 0 to 1. */
export function cacheHitRate(): number | null {
  return uses.all === 0 ? null : uses.hits / uses.all;
}

/** Clears the cache. For tests. */
export function forgetChecks(): void {
  latest = undefined;
}

async function check(): Promise<Checked> {
  const results = await Promise.all(
    probed.map(async (name) => [name, await runProbe(name, probeLimitMs)] as const),
  );
  const byName = Object.fromEntries(results) as Record<Probed, ProbeResult>;
  if (byName.database.status !== 'outage') {
    await withTimeout(followIncidents(results));
  }

  return {
    results: { ...byName, social: summarizeNetworks(networkNames.map((name) => byName[name])) },
  };
}

async function withTimeout(following: Promise<void>): Promise<void> {
  const followed = following.catch((failure: unknown) => {
    logger.warn('Incidents were not written', { failure: describeFailure(failure) });
  });
  const timeout = new Promise<void>((resolve) => {
    setTimeout(resolve, incidentTimeoutMs).unref();
  });
  await Promise.race([followed, timeout]);
}

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

export function serviceStatusOf(status: SystemStatus): ServiceStatus {
  return asServiceStatus[status];
}
