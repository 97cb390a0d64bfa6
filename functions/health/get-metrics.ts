import { timestamp } from '#lib/clock.ts';
import { describeMetrics } from '#lib/health/describe-metrics.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { getMetrics } from '#schemas/health.ts';

export const handler = endpoint(getMetrics, async ({ query }) => {
  const { timeRange, granularity, metric } = query;

  return {
    timestamp: timestamp(),
    timeRange,
    metrics: await describeMetrics(timeRange, granularity, metric),
  };
});
