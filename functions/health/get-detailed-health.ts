import { checkServices } from '#lib/features/health/services/check-services.ts';
import { describeOverall, requireHealthy } from '#lib/features/health/services/overall.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { readSystemFigures } from '#lib/platform/metric-store/system-figures.ts';
import { dependencies, getDetailedHealth } from '#schemas/health.ts';

export const handler = endpoint(getDetailedHealth, async () => {
  const [checked, { cpu, memory, disk }] = await Promise.all([
    checkServices(),
    readSystemFigures(),
  ]);
  requireHealthy(checked);

  return {
    ...describeOverall(checked),
    services: Object.fromEntries(dependencies.map((name) => [name, checked.results[name]])),
    metrics: { cpu: { ...cpu, load: [...cpu.load] }, memory, disk },
  };
});
