import { checkServices } from '#lib/health/check-services.ts';
import { countPublicLook } from '#lib/health/count-public-look.ts';
import { describeOverall, requireHealthy } from '#lib/health/overall.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { requireAllowed } from '#lib/http/rate-limiter.ts';
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
