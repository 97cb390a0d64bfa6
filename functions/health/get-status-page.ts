import { checkServices } from '#lib/features/health/services/check-services.ts';
import { listIncidents, listMaintenance } from '#lib/features/health/services/incidents.ts';
import { limitPublicRequests } from '#lib/features/health/services/limit-public-requests.ts';
import { renderStatusPage } from '#lib/features/health/services/status-page.ts';
import { publicEndpoint } from '#lib/platform/http/public-endpoint.ts';
import { requireAllowed } from '#lib/platform/rate-limits/rate-limiter.ts';
import { getStatusPage } from '#schemas/health.ts';

/** Also works while the database is down, but without incidents, which are stored there. */
export const handler = publicEndpoint(getStatusPage, async ({ clientIp, reply }) => {
  const [counted, checked] = await Promise.all([limitPublicRequests(clientIp), checkServices()]);
  const limits = counted ? [counted] : [];
  reply.rateLimits(limits);
  requireAllowed(limits);
  const isReadable = checked.results.database.status !== 'outage';
  const [incidents, maintenance] = isReadable
    ? await Promise.all([listIncidents(), listMaintenance()])
    : [[], []];
  const { html, policy } = renderStatusPage(checked, incidents, maintenance);

  return {
    statusCode: isReadable ? 200 : 503,
    headers: { 'content-type': getStatusPage.contentType, 'content-security-policy': policy },
    body: html,
  };
});
