import { notFound } from '#lib/errors/failures.ts';
import { formatForPrometheus } from '#lib/health/prometheus.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { readRouteTotals } from '#lib/metrics/read-metrics.ts';
import { readSystemFigures } from '#lib/metrics/system-figures.ts';
import { getScrapedMetrics } from '#schemas/health.ts';

export const handler = endpoint(getScrapedMetrics, async ({ params }) => {
  if (params.scraper_format !== 'prometheus') {
    throw notFound('Format');
  }
  const [routes, system] = await Promise.all([readRouteTotals(), readSystemFigures()]);

  return {
    statusCode: 200,
    headers: { 'content-type': getScrapedMetrics.contentType },
    body: formatForPrometheus(routes, system),
  };
});
