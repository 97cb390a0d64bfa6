import { findService } from './probes.ts';
import { probeNetworks, runProbe } from './run-probe.ts';

type Result = {
  readonly service: string;
  readonly status: 'success' | 'failure';
  readonly responseTime: number;
  readonly error: string | null;
};

/** Probes the named dependencies concurrently, each with a timeout of `limitMs`. */
export async function tryServices(names: readonly string[], limitMs: number) {
  const results = await Promise.all(names.map((name) => tryService(name, limitMs)));
  const successful = results.filter(({ status }) => status === 'success').length;
  const asked = results.filter(({ service }) => findService(service) !== undefined);
  const sum = asked.reduce((total, { responseTime }) => total + responseTime, 0);

  return {
    results,
    summary: {
      total: results.length,
      successful,
      failed: results.length - successful,
      averageResponseTime: asked.length === 0 ? 0 : sum / asked.length,
    },
  };
}

async function tryService(name: string, limitMs: number): Promise<Result> {
  const service = findService(name);
  if (!service) {
    return { service: name, status: 'failure', responseTime: 0, error: 'Unknown service' };
  }
  const result =
    service === 'social' ? await probeNetworks(limitMs) : await runProbe(service, limitMs);
  const isReached = service === 'social' ? result.error === null : result.status !== 'outage';

  return {
    service: name,
    status: isReached ? 'success' : 'failure',
    responseTime: result.responseTime,
    error: isReached ? null : result.error,
  };
}
