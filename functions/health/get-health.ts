import { checkServices } from '#lib/features/health/services/check-services.ts';
import { limitPublicRequests } from '#lib/features/health/services/limit-public-requests.ts';
import { describeOverall, requireHealthy } from '#lib/features/health/services/overall.ts';
import { publicEndpoint } from '#lib/platform/http/public-endpoint.ts';
import { requireAllowed } from '#lib/platform/rate-limits/rate-limiter.ts';
import { getHealth } from '#schemas/health.ts';

/** Responds within three seconds, even if dependencies are down. */
export const handler = publicEndpoint(getHealth, async ({ clientIp, reply }) => {
  const [counted, checked] = await Promise.all([limitPublicRequests(clientIp), checkServices()]);
  const limits = counted ? [counted] : [];
  reply.rateLimits(limits);
  requireAllowed(limits);
  requireHealthy(checked);

  return describeOverall(checked);
});
