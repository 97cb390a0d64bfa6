import { beginningWith, type Key, tenant } from './key.ts';

export const campaignKeys = {
  agent: (organizationId: string, agentId: string): Key => ({
    pk: tenant(organizationId),
    sk: `AGENT#${agentId}`,
  }),
  promptTemplate: (organizationId: string, templateId: string): Key => ({
    pk: tenant(organizationId),
    sk: `TEMPLATE#${templateId}`,
  }),
  interactiveTemplate: (organizationId: string, templateId: string): Key => ({
    pk: tenant(organizationId),
    sk: `INTERACTIVE_TEMPLATE#${templateId}`,
  }),
  /** What an agent or a template has done. They are written with every reply. */
  aiFigures: (organizationId: string, of: string, id: string): Key => ({
    pk: aiFigures(organizationId),
    sk: `${of}#${id}`,
  }),
  campaign: (organizationId: string, campaignId: string): Key => ({
    pk: tenant(organizationId),
    sk: `CAMPAIGN#${campaignId}`,
  }),
  /** One campaign has a keyword: its claim, and what lists and matching read. */
  campaignKeyword: (organizationId: string, normalizedText: string): Key => ({
    pk: tenant(organizationId),
    sk: `${keywordPrefix}#${normalizedText}`,
  }),
  /** The same of a text that is too long for a key. */
  longCampaignKeyword: (organizationId: string, textHash: string): Key => ({
    pk: tenant(organizationId),
    sk: `${keywordPrefix}_HASH#${textHash}`,
  }),
  /** Which state the keywords of all campaigns are in. */
  keywordSet: (organizationId: string): Key => ({
    pk: tenant(organizationId),
    sk: 'CAMPAIGN_KEYWORDS',
  }),
};

export const campaignRanges = {
  agents: (organizationId: string) => beginningWith(tenant(organizationId), 'AGENT#'),
  promptTemplates: (organizationId: string) => beginningWith(tenant(organizationId), 'TEMPLATE#'),
  interactiveTemplates: (organizationId: string) =>
    beginningWith(tenant(organizationId), 'INTERACTIVE_TEMPLATE#'),
  campaigns: (organizationId: string) => beginningWith(tenant(organizationId), 'CAMPAIGN#'),
  /** The long ones too. A text may begin beyond the end of any range that names more than this. */
  campaignKeywords: (organizationId: string) =>
    beginningWith(tenant(organizationId), keywordPrefix),
};

const keywordPrefix = 'KEYWORD';

export function aiFigures(organizationId: string): string {
  return `${tenant(organizationId)}#AI_FIGURES`;
}
