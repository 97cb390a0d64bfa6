import { readAnswerCounts } from '#lib/features/ai/answer-counts.ts';
import { readCampaignLeads } from '#lib/features/leads/analytics/lead-analytics.ts';
import { campaignRanges } from '#lib/platform/db/keys/campaigns.ts';
import { organizationKeys } from '#lib/platform/db/keys/organizations.ts';
import type { PageRequest } from '#lib/platform/db/lists/cursor.ts';
import { listMatching, listPage, type Page } from '#lib/platform/db/lists/list.ts';
import { get } from '#lib/platform/db/read.ts';
import { textSearch } from '#lib/platform/db/text-search.ts';
import type * as contracts from '#schemas/campaigns.ts';
import type { FiltersOf } from '#schemas/contract.ts';
import { type Campaign, campaignCounter, presentCampaign } from './campaign.ts';

export type CampaignFilters = FiltersOf<typeof contracts.listCampaigns>;

function matcherOf({ pipelineId, socialAccountIds, platform, status, search }: CampaignFilters) {
  const contains = textSearch(search);
  const accountIds = socialAccountIds ?? [];

  return (campaign: Campaign): boolean =>
    (pipelineId === undefined || campaign.pipelineId === pipelineId) &&
    (platform === undefined || campaign.platform === platform) &&
    (status === undefined || campaign.status === status) &&
    (accountIds.length === 0 || accountIds.some((id) => campaign.socialAccountIds.includes(id))) &&
    contains(campaign.name, campaign.description ?? '');
}

/** Returns a page of campaigns, newest first. Filters require scanning all campaigns. */
function pageOf(
  organizationId: string,
  filters: CampaignFilters,
  request: PageRequest,
): Promise<Page<Campaign>> {
  const range = campaignRanges.campaigns(organizationId);
  if (Object.values(filters).some((value) => value !== undefined)) {
    return listMatching<Campaign>(range, request, matcherOf(filters));
  }

  return listPage<Campaign>(range, request, async () => {
    const counted = await get<{ value: number }>(
      organizationKeys.counter(organizationId, campaignCounter),
    );

    return counted?.value ?? 0;
  });
}

/** Returns a page of matching campaigns, with lead counts, conversion rates and clicks. */
export async function listCampaigns(
  organizationId: string,
  filters: CampaignFilters,
  request: PageRequest,
) {
  const { items, pagination } = await pageOf(organizationId, filters, request);
  const [leads, usage] = await Promise.all([
    readCampaignLeads(organizationId, items),
    readAnswerCounts(
      organizationId,
      'CAMPAIGN',
      items.map(({ id }) => id),
    ),
  ]);

  return {
    campaigns: items.map((campaign, index) => ({
      ...presentCampaign(campaign),
      leadCount: leads[index]?.leadCount ?? 0,
      conversionRate: leads[index]?.conversionRate ?? 0,
      clicks: usage[index]?.clicks ?? 0,
    })),
    pagination,
  };
}
