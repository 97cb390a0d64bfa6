import { campaignRanges } from '#lib/platform/db/keys/campaigns.ts';
import { query } from '#lib/platform/db/read.ts';
import type { Campaign } from './campaign.ts';

type ListedKeyword = Campaign['keywords'][number] & {
  readonly campaignId: string;
  readonly campaignName: string;
  readonly status: Campaign['status'];
};

function byPriority(one: ListedKeyword, other: ListedKeyword): number {
  return one.priority - other.priority || one.keyword.localeCompare(other.keyword);
}

/** Returns the keywords of all campaigns, including ended ones, newest campaign first. */
export async function listKeywords(organizationId: string): Promise<readonly ListedKeyword[]> {
  const campaigns = await query<Campaign>(campaignRanges.campaigns(organizationId));

  return campaigns
    .toSorted((one, other) => other.id.localeCompare(one.id))
    .flatMap(({ id, name, status, keywords }) =>
      keywords
        .map((keyword) => ({ ...keyword, campaignId: id, campaignName: name, status }))
        .toSorted(byPriority),
    );
}
