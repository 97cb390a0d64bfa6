import { describeService } from '#lib/features/health/services/service-details.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { getServiceHealth } from '#schemas/health.ts';

/** Also of what is down: that it is, is the answer. */
export const handler = endpoint(getServiceHealth, async ({ params }) => ({
  ...(await describeService(params.service_name)),
  timestamp: timestamp(),
}));
