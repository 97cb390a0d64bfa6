import { beginningWith, inTenant, key, tenant } from './key.ts';

export const campaignKeys = {
  /** Metrics of an agent or template, updated with every reply. */
  answerCounts: (organizationId: string, of: string, id: string) =>
    key(answerCountsPartition(organizationId), `${of}#${id}`),
  campaign: (organizationId: string, campaignId: string) =>
    inTenant(organizationId, `CAMPAIGN#${campaignId}`),
  /**
   * A keyword belongs to one campaign. This item is its claim, and listing and matching read it.
   */
  campaignKeyword: (organizationId: string, normalizedText: string) =>
    inTenant(organizationId, `${keywordPrefix}#${normalizedText}`),
  /** The same for a keyword that is too long for a key. */
  longCampaignKeyword: (organizationId: string, textHash: string) =>
    inTenant(organizationId, `${keywordPrefix}_HASH#${textHash}`),
  /** The version of the organization's campaign keywords and moderation rules. */
  keywordSet: (organizationId: string) => inTenant(organizationId, 'CAMPAIGN_KEYWORDS'),
};

export const campaignRanges = {
  campaigns: (organizationId: string) => beginningWith(tenant(organizationId), 'CAMPAIGN#'),
  /** Includes long keywords. Its prefix precedes the text of every keyword. */
  campaignKeywords: (organizationId: string) =>
    beginningWith(tenant(organizationId), keywordPrefix),
};

const keywordPrefix = 'KEYWORD';

export function answerCountsPartition(organizationId: string): string {
  return `${tenant(organizationId)}#AI_FIGURES`;
}
