import type { Contract } from '#schemas/contract.ts';
import * as health from '#schemas/health.ts';
import type { Call } from './gateway-event.ts';
import { callOf, type Scene } from './scene.ts';

/** A look by somebody who is signed in. What is looked at is asked anew. */
function look(contract: Contract, call: Call = {}): Scene {
  return callOf(contract, async (world) => {
    const { token } = await world.newAccount();

    return { ...call, token };
  });
}

export const healthScenes: Readonly<Record<string, Scene>> = {
  'get-health': callOf(health.getHealth, () => ({})),
  'get-status-page': callOf(health.getStatusPage, () => ({})),
  'get-detailed-health': look(health.getDetailedHealth),
  'get-health-status': look(health.getHealthStatus),
  'get-service-health': look(health.getServiceHealth, { params: { service_name: 'database' } }),
  'get-metrics': look(health.getMetrics),
  'get-historical-metrics': look(health.getHistoricalMetrics),
  'get-diagnostics': look(health.getDiagnostics),
  'test-connectivity': look(health.testConnectivity, { body: { services: ['database'] } }),
  'get-scraped-metrics': look(health.getScrapedMetrics, {
    params: { scraper_format: 'prometheus' },
  }),
  'health-watch': async () => ({}),
  'get-organization-health': callOf(health.getOrganizationHealth, async (world) => {
    const { token, organizationId } = await world.newAccount();

    return { token, params: { organization_id: organizationId } };
  }),
};
