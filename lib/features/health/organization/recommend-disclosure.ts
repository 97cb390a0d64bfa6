import type { Agent } from '#lib/features/ai/agent.ts';
import { activeCampaigns, readCampaignsVersion } from '#lib/features/campaigns/active-campaigns.ts';
import type { Organization } from '#lib/features/organizations/organizations.ts';
import type { Recommendation } from './concerns.ts';

/** Recommends an AI disclosure if an active agent or campaign answers without one. */
export async function recommendDisclosure(
  organization: Organization | undefined,
  agents: readonly Agent[],
): Promise<readonly Recommendation[]> {
  if (!organization || organization.settings.aiDisclosure) {
    return [];
  }
  const answers =
    agents.some(({ status }) => status === 'ACTIVE') ||
    (await hasActiveCampaign(organization.organizationId));

  return answers
    ? [
        {
          type: 'AI_DISCLOSURE',
          message: 'Set aiDisclosure in the settings, so that customers know that an AI answers',
          priority: 'low',
        },
      ]
    : [];
}

async function hasActiveCampaign(organizationId: string): Promise<boolean> {
  const version = await readCampaignsVersion(organizationId);
  const { agentConfigs } = await activeCampaigns(organizationId, version);

  return agentConfigs.length > 0;
}
