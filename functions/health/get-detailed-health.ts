import { checkServices } from '#lib/features/health/services/check-services.ts';
import { describeOverall, requireHealthy } from '#lib/features/health/services/overall.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { readSystemMetrics } from '#lib/platform/metric-store/system-metrics.ts';
import { dependencies, getDetailedHealth } from '#schemas/health.ts';

export const handler = endpoint(getDetailedHealth, async () => {
  const [checked, metrics] = await Promise.all([checkServices(), readSystemMetrics()]);
  requireHealthy(checked);

  return {
    ...describeOverall(checked),
    services: Object.fromEntries(dependencies.map((name) => [name, checked.results[name]])),
    metrics,
  };
});
