import { describeHistory } from '#lib/health/historical-metrics.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { getHistoricalMetrics } from '#schemas/health.ts';

export const handler = endpoint(getHistoricalMetrics, ({ query }) => describeHistory(query));
