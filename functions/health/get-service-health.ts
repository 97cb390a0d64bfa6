import { describeService } from '#lib/features/health/services/service-details.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { getServiceHealth } from '#schemas/health.ts';

/** Returns 200 even if the service is down: the status is in the body. */
export const handler = endpoint(getServiceHealth, async ({ params }) => ({
  ...(await describeService(params.service_name)),
  timestamp: timestamp(),
}));
