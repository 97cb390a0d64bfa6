import { ticksMs, timestamp } from '#lib/platform/clock.ts';
import { networkNames, type ServiceStatus } from '#schemas/health.ts';
import { type Findings, type Probed, probes } from './probes.ts';
import { ProbeError } from './reach.ts';

export type ProbeResult = Findings & {
  readonly status: Exclude<ServiceStatus, 'maintenance'>;
  /** In milliseconds. */
  readonly responseTime: number;
  readonly lastChecked: string;
  readonly error: string | null;
};

/** Slower responses are reported as degraded. */
const slowMs = 1_000;

export async function runProbe(name: Probed, limitMs: number): Promise<ProbeResult> {
  const beganAtMs = ticksMs();
  const signal = AbortSignal.timeout(limitMs);
  const result = (
    status: ProbeResult['status'],
    error: string | null,
    findings: Findings = {},
  ) => ({
    ...findings,
    status,
    error,
    responseTime: Math.round((ticksMs() - beganAtMs) * 100) / 100,
    lastChecked: timestamp(),
  });
  try {
    const findings = await Promise.race([probes[name](signal), whenAborted(signal, limitMs)]);
    const { warning, ...rest } = findings;
    const concern = warning ?? (ticksMs() - beganAtMs > slowMs ? 'It is slow' : null);

    return result(concern === null ? 'operational' : 'degraded', concern, rest);
  } catch (failure) {
    return result('outage', reasonOf(failure, signal, limitMs));
  }
}

function whenAborted(signal: AbortSignal, limitMs: number): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new ProbeError(timeoutMessage(limitMs))));
  });
}

function timeoutMessage(limitMs: number): string {
  return `No response within ${limitMs} ms`;
}

/** Hides the details of unexpected failures, because they may contain internal addresses. */
function reasonOf(failure: unknown, signal: AbortSignal, limitMs: number): string {
  if (signal.aborted) {
    return timeoutMessage(limitMs);
  }

  return failure instanceof ProbeError ? failure.message : 'Unreachable';
}

/** Combines all networks: down if all are down, degraded if some are not operational. */
export function summarizeNetworks(results: readonly ProbeResult[]): ProbeResult {
  const unwell = results.filter(({ status }) => status !== 'operational').length;
  const down = results.filter(({ status }) => status === 'outage').length;
  const status = unwell === 0 ? 'operational' : down === results.length ? 'outage' : 'degraded';

  return {
    status,
    responseTime: Math.max(...results.map(({ responseTime }) => responseTime)),
    lastChecked: results[0]?.lastChecked ?? timestamp(),
    error: unwell === 0 ? null : `${unwell} of ${results.length} networks are not well`,
  };
}

export async function probeNetworks(limitMs: number): Promise<ProbeResult> {
  return summarizeNetworks(await Promise.all(networkNames.map((name) => runProbe(name, limitMs))));
}
