import { requireBioLink } from '#lib/bio/bio-links.ts';
import { readClickStats } from '#lib/bio/click-counters.ts';
import { resolveDays } from '#lib/bio/stats-range.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { getBioLinkStats } from '#schemas/bio.ts';

export const handler = endpoint(getBioLinkStats, async ({ organizationId, params, query }) => {
  const { from, to } = resolveDays(query);
  const [{ totalClicks, days, countries, referrers }, { id }] = await Promise.all([
    readClickStats(organizationId, params.link_id, from, to),
    requireBioLink(organizationId, params.link_id),
  ]);

  return {
    stats: {
      linkId: id,
      dateRange: { from, to },
      totalClicks,
      days: [...days],
      countries: [...countries],
      referrers: [...referrers],
    },
    message: 'Bio link stats retrieved successfully',
  };
});
