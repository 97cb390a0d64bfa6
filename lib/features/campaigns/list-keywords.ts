import { keys } from '#lib/platform/db/keys.ts';
import { getMany } from '#lib/platform/db/read.ts';
import type { Campaign } from './campaign.ts';
import { type KeywordClaim, readKeywordClaims } from './keyword-claims.ts';

function byCampaignAndPriority(one: KeywordClaim, other: KeywordClaim): number {
  // Ids sort by creation time, so this lists the newest campaign first.
  return (
    other.campaignId.localeCompare(one.campaignId) ||
    one.priority - other.priority ||
    one.keyword.localeCompare(other.keyword)
  );
}

/** Returns the keywords of all campaigns that have not ended, newest campaign first. */
export async function listKeywords(organizationId: string) {
  const claims = await readKeywordClaims(organizationId);
  const campaignIds = [...new Set(claims.map(({ campaignId }) => campaignId))];
  const campaigns = await getMany<Campaign>(
    campaignIds.map((id) => keys.campaign(organizationId, id)),
  );
  const names = new Map(campaigns.flatMap((found) => (found ? [[found.id, found.name]] : [])));

  return claims
    .filter(({ campaignId }) => names.has(campaignId))
    .toSorted(byCampaignAndPriority)
    .map((claim) => ({ ...claim, campaignName: names.get(claim.campaignId) ?? '' }));
}
