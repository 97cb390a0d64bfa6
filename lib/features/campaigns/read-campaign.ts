import { averageResponseTime, readAnswerCounts } from '#lib/features/ai/answer-counts.ts';
import type { Template } from '#lib/features/ai/template.ts';
import { templateKey } from '#lib/features/ai/template-uses.ts';
import { readCampaignLeads } from '#lib/features/leads/analytics/lead-analytics.ts';
import { getMany } from '#lib/platform/db/read.ts';
import { presentCampaign, requireCampaign } from './campaign.ts';

/** Returns a campaign with its metrics and the templates of its agents. @throws 404 */
export async function readCampaign(organizationId: string, campaignId: string) {
  const [campaign, [counts = {}]] = await Promise.all([
    requireCampaign(organizationId, campaignId),
    readAnswerCounts(organizationId, 'CAMPAIGN', [campaignId]),
  ]);
  const templateKeys = campaign.agentConfigs.map(({ promptTemplateId, templateKind }) =>
    templateKey(organizationId, templateKind, promptTemplateId),
  );
  const [[leads = { leadCount: 0, conversionRate: 0 }], templates] = await Promise.all([
    readCampaignLeads(organizationId, [campaign]),
    getMany<Template>(templateKeys),
  ]);
  const presented = presentCampaign(campaign);

  return {
    ...presented,
    ...leads,
    clicks: counts.clicks ?? 0,
    agentConfigs: presented.agentConfigs.map((config, index) => {
      const template = templates[index];

      return {
        ...config,
        promptTemplate: template
          ? { id: template.id, name: template.name, content: template.templateContent }
          : null,
      };
    }),
    totalInteractions: counts.interactions ?? 0,
    averageResponseTime: averageResponseTime(counts),
  };
}
