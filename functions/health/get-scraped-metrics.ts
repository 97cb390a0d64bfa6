import { readOrganizationGauges } from '#lib/features/health/metrics/organization-gauges.ts';
import { formatForPrometheus } from '#lib/features/health/metrics/prometheus.ts';
import { readWorkGauges } from '#lib/features/health/metrics/work-gauges.ts';
import { notFound } from '#lib/platform/errors/failures.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import type { Caller } from '#lib/platform/http/request.ts';
import { membershipOfKey } from '#lib/platform/identity/api-key.ts';
import { findMembership, type Membership } from '#lib/platform/identity/identity.ts';
import { readRouteTotals } from '#lib/platform/metric-store/read-metrics.ts';
import { readSystemMetrics } from '#lib/platform/metric-store/system-metrics.ts';
import { getScrapedMetrics } from '#schemas/health.ts';

export const handler = endpoint(getScrapedMetrics, async ({ params, caller }) => {
  if (params.scraper_format !== 'prometheus') {
    throw notFound('Format');
  }
  const [routes, system, work, business] = await Promise.all([
    readRouteTotals(),
    readSystemMetrics(),
    readWorkGauges(),
    readBusinessGauges(caller),
  ]);

  return {
    statusCode: 200,
    headers: { 'content-type': getScrapedMetrics.contentType },
    body: formatForPrometheus(routes, system, [...work, ...business]),
  };
});

async function readBusinessGauges(caller: Caller) {
  const membership = await membershipOf(caller);

  return membership ? readOrganizationGauges(membership) : [];
}

/** Returns the membership of the key's organization, or of the session's current one. */
async function membershipOf({ apiKey, session }: Caller): Promise<Membership | undefined> {
  if (apiKey) {
    return membershipOfKey(apiKey);
  }

  return session?.currentOrganizationId
    ? findMembership(session.currentOrganizationId, session.userId)
    : undefined;
}
