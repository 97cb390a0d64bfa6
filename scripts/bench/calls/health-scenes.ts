import type { Contract } from '#schemas/contract.ts';
import * as health from '#schemas/health.ts';
import type { Call } from './gateway-event.ts';
import { callOf, type Scene } from './scene.ts';

/** A request by an authenticated user, without cached results. */
function signedIn(contract: Contract, call: Call = {}): Scene {
  return callOf(contract, async (world) => {
    const { token } = await world.newAccount();

    return { ...call, token };
  });
}

export const healthScenes: Readonly<Record<string, Scene>> = {
  'get-health': callOf(health.getHealth, () => ({})),
  'get-status-page': callOf(health.getStatusPage, () => ({})),
  'get-detailed-health': signedIn(health.getDetailedHealth),
  'get-health-status': signedIn(health.getHealthStatus),
  'get-service-health': signedIn(health.getServiceHealth, { params: { service_name: 'database' } }),
  'get-metrics': signedIn(health.getMetrics),
  'get-historical-metrics': signedIn(health.getHistoricalMetrics),
  'get-diagnostics': signedIn(health.getDiagnostics),
  'test-connectivity': signedIn(health.testConnectivity, { body: { services: ['database'] } }),
  'get-scraped-metrics': signedIn(health.getScrapedMetrics, {
    params: { scraper_format: 'prometheus' },
  }),
  'health-watch': async () => ({}),
  'get-organization-health': callOf(health.getOrganizationHealth, async (world) => {
    const { token, organizationId } = await world.newAccount();

    return { token, params: { organization_id: organizationId } };
  }),
};
