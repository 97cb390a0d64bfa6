import {
  rangeProblems,
  readAccountStats,
  resolveRange,
} from '#lib/features/social/metrics/account-stats.ts';
import { namedRange, olderDateNames } from '#lib/platform/day-range.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { getSocialAccountStats } from '#schemas/social.ts';

export const handler = endpoint(
  getSocialAccountStats,
  async ({ organizationId, params, query }) => {
    const range = resolveRange(namedRange(query, olderDateNames));

    return { stats: await readAccountStats(organizationId, params.account_id, range) };
  },
  { rules: ({ query }) => rangeProblems(namedRange(query, olderDateNames)) },
);
