import { minuteMs, now, timestamp } from '#lib/platform/clock.ts';
import { readMetrics, sumMetrics } from '#lib/platform/metric-store/read-metrics.ts';
import { dependencies, networkNames } from '#schemas/health.ts';
import { type Checked, cacheHitRate, serviceStatusOf, systemStatusOf } from './check-services.ts';

const recentMs = 5 * minuteMs;
const external = [
  ...dependencies.filter((name) => name !== 'database' && name !== 'cache'),
  ...networkNames,
];

/**
 * Describes the state of all services, with request metrics of the last five minutes across all
 * instances.
 */
export async function describeParts(checked: Checked) {
  const { results } = checked;
  const status = serviceStatusOf(systemStatusOf(checked));
  const { requests, durationMs } = sumMetrics(await readMetrics('1m', now() - recentMs, now()));

  return {
    status,
    timestamp: timestamp(),
    services: {
      api: {
        status: status === 'maintenance' ? status : ('operational' as const),
        uptime: process.uptime(),
        requestsPerMinute: requests / (recentMs / minuteMs),
        averageResponseTime: requests === 0 ? null : durationMs / requests,
      },
      database: {
        status: results.database.status,
        connections: null,
        maxConnections: null,
        queryTime: results.database.responseTime,
      },
      cache: {
        status: results.cache.status,
        hitRate: cacheHitRate(),
        memoryUsage: null,
        maxMemory: null,
      },
      external: Object.fromEntries(
        external.map((name) => {
          const { status, lastChecked, responseTime } = results[name];

          return [name, { status, lastCheck: lastChecked, responseTime }];
        }),
      ),
    },
  };
}
