import { probeLimitMs } from '#lib/features/health/services/check-services.ts';
import { tryServices } from '#lib/features/health/services/connectivity.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { testConnectivity } from '#schemas/health.ts';

export const handler = endpoint(testConnectivity, async ({ body }) => ({
  timestamp: timestamp(),
  ...(await tryServices(body.services, body.timeout ?? probeLimitMs)),
}));
