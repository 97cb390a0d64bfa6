import { timestamp } from '#lib/platform/clock.ts';
import { config } from '#lib/platform/config.ts';
import { apiError } from '#lib/platform/errors/failures.ts';
import { version } from '#lib/platform/version.ts';
import { type Checked, systemStatusOf } from './check-services.ts';

/** Returns the fields that every health response starts with. */
export function describeOverall(checked: Checked) {
  return {
    status: systemStatusOf(checked),
    timestamp: timestamp(),
    uptime: process.uptime(),
    version,
    environment: config.stage,
  };
}

/** @throws 503 with the services that are down, if the system is unhealthy. */
export function requireHealthy(checked: Checked): void {
  if (systemStatusOf(checked) !== 'unhealthy') {
    return;
  }
  const down = Object.entries(checked.results).filter(([, { status }]) => status === 'outage');
  const services = Object.fromEntries(
    down.map(([name, { status, error }]) => [name, { status, error }]),
  );

  throw apiError('OVERLOADED', 'The service is unavailable', {
    fields: { services },
    headers: { 'retry-after': '10' },
  });
}
