import { checkServices } from '#lib/health/check-services.ts';
import { listIncidents, listMaintenance, presentIncident } from '#lib/health/incidents.ts';
import { requireHealthy } from '#lib/health/overall.ts';
import { describeParts } from '#lib/health/parts.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { getHealthStatus } from '#schemas/health.ts';

export const handler = endpoint(getHealthStatus, async () => {
  const checked = await checkServices();
  requireHealthy(checked);
  const [parts, incidents, maintenance] = await Promise.all([
    describeParts(checked),
    listIncidents(),
    listMaintenance(),
  ]);

  return { ...parts, incidents: incidents.map(presentIncident), maintenance };
});
