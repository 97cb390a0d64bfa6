import { timestamp } from '#lib/clock.ts';
import { probeLimitMs } from '#lib/health/check-services.ts';
import { tryServices } from '#lib/health/connectivity.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { testConnectivity } from '#schemas/health.ts';

export const handler = endpoint(testConnectivity, async ({ body }) => ({
  timestamp: timestamp(),
  ...(await tryServices(body.services, body.timeout ?? probeLimitMs)),
}));
