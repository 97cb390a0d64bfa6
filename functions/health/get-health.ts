import { checkServices } from '#lib/features/health/services/check-services.ts';
import { describeOverall, requireHealthy } from '#lib/features/health/services/overall.ts';
import { countPublicLook } from '#lib/features/health/status-page/count-public-look.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { requireAllowed } from '#lib/platform/rate-limits/rate-limiter.ts';
import { getHealth } from '#schemas/health.ts';

/** Responds within three seconds, whatever dependency is down. */
export const handler = endpoint(getHealth, async ({ clientIp, reply }) => {
  const [counted, checked] = await Promise.all([countPublicLook(clientIp), checkServices()]);
  const limits = counted ? [counted] : [];
  reply.rateLimits(limits);
  requireAllowed(limits);
  requireHealthy(checked);

  return describeOverall(checked);
});
