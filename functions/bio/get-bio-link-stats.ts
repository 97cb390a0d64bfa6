import { requireBioLink } from '#lib/features/bio/bio-links.ts';
import { readClickStats } from '#lib/features/bio/click-counters.ts';
import {
  dayRangeProblems,
  namedRange,
  olderDateNames,
  resolveDays,
} from '#lib/platform/day-range.ts';
import { endpoint } from '#lib/platform/http/endpoint.ts';
import { getBioLinkStats } from '#schemas/bio.ts';

export const handler = endpoint(
  getBioLinkStats,
  async ({ organizationId, params, query }) => {
    const { from, to } = resolveDays(namedRange(query, olderDateNames));
    const [{ totalClicks, days, countries, referrers }, { id }] = await Promise.all([
      readClickStats(organizationId, params.link_id, from, to),
      requireBioLink(organizationId, params.link_id),
    ]);

    return {
      stats: {
        linkId: id,
        dateRange: { from, to },
        totalClicks,
        days,
        countries,
        referrers,
      },
    };
  },
  {
    rules: ({ query }) => dayRangeProblems(namedRange(query, olderDateNames)),
  },
);
