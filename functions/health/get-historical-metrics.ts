import {
  describeHistory,
  historyProblems,
} from '#lib/features/health/metrics/historical-metrics.ts';
import { namedRange } from '#lib/platform/day-range.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { getHistoricalMetrics } from '#schemas/health.ts';

const olderNames = { from: 'start', to: 'end' } as const;

export const handler = endpoint(
  getHistoricalMetrics,
  ({ query }) => describeHistory(query.granularity, namedRange(query, olderNames)),
  { rules: ({ query }) => historyProblems(query.granularity, namedRange(query, olderNames)) },
);
