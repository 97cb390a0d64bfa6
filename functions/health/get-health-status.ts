import { checkServices } from '#lib/features/health/services/check-services.ts';
import { listIncidents, listMaintenance } from '#lib/features/health/services/incidents.ts';
import { requireHealthy } from '#lib/features/health/services/overall.ts';
import { describeParts } from '#lib/features/health/services/parts.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { getHealthStatus } from '#schemas/health.ts';

export const handler = endpoint(getHealthStatus, async () => {
  const checked = await checkServices();
  requireHealthy(checked);
  const [parts, incidents, maintenance] = await Promise.all([
    describeParts(checked),
    listIncidents(),
    listMaintenance(),
  ]);

  return { ...parts, incidents, maintenance };
});
