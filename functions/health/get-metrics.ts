import { describeMetrics } from '#lib/features/health/metrics/describe-metrics.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { getMetrics } from '#schemas/health.ts';

export const handler = endpoint(getMetrics, async ({ query }) => {
  const { timeRange, granularity, metric } = query;

  return {
    timestamp: timestamp(),
    timeRange,
    metrics: await describeMetrics(timeRange, granularity, metric),
  };
});
