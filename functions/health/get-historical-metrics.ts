import { describeHistory } from '#lib/features/health/metrics/historical-metrics.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { getHistoricalMetrics } from '#schemas/health.ts';

export const handler = endpoint(getHistoricalMetrics, ({ query }) => describeHistory(query));
