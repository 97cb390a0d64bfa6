import { formatForPrometheus } from '#lib/features/health/metrics/prometheus.ts';
import { notFound } from '#lib/platform/errors/failures.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { readRouteTotals } from '#lib/platform/metric-store/read-metrics.ts';
import { readSystemMetrics } from '#lib/platform/metric-store/system-metrics.ts';
import { getScrapedMetrics } from '#schemas/health.ts';

export const handler = endpoint(getScrapedMetrics, async ({ params }) => {
  if (params.scraper_format !== 'prometheus') {
    throw notFound('Format');
  }
  const [routes, system] = await Promise.all([readRouteTotals(), readSystemMetrics()]);

  return {
    statusCode: 200,
    headers: { 'content-type': getScrapedMetrics.contentType },
    body: formatForPrometheus(routes, system),
  };
});
