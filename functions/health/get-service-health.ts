import { timestamp } from '#lib/clock.ts';
import { describeService } from '#lib/health/service-details.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { getServiceHealth } from '#schemas/health.ts';

/** Returns 200 for failed services too: the status is in the body. */
export const handler = endpoint(getServiceHealth, async ({ params }) => ({
  ...(await describeService(params.service_name)),
  timestamp: timestamp(),
}));
