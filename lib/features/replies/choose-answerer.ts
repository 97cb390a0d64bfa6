import { type Agent, defaultMaxResponses } from '#lib/features/ai/agents.ts';
import type { NamedTemplate } from '#lib/features/ai/template-uses.ts';
import type { AgentConfig, Campaign } from '#lib/features/campaigns/campaign.ts';
import type { BusinessHours } from '#schemas/ai.ts';
import type { Channel } from '#schemas/platforms.ts';

/** Who answers on a channel, with which template and limits. */
export type Answerer = {
  readonly campaignId?: string;
  readonly agentId?: string;
  readonly template: NamedTemplate;
  readonly autoResponse: boolean;
  readonly isActive: boolean;
  readonly delaySeconds: number;
  readonly maxResponses: number;
  readonly hours?: BusinessHours;
  readonly variables: Readonly<Record<string, string>>;
};

/** Active agents first, then older ones. */
function byPrecedence(one: Agent, other: Agent): number {
  const rank = ({ status }: Agent) => (status === 'ACTIVE' ? 0 : 1);

  return rank(one) - rank(other) || one.id.localeCompare(other.id);
}

function limitsOf(agent: Agent | undefined) {
  return {
    ...(agent ? { agentId: agent.id } : {}),
    isActive: !agent || agent.status === 'ACTIVE',
    maxResponses: agent?.maxResponsesPerConversation ?? defaultMaxResponses,
    ...(agent?.businessHoursOnly && agent.businessHours ? { hours: agent.businessHours } : {}),
  };
}

/**
 * Returns the answerer of a campaign on a channel, if it has one there. The organization's agent
 * with the same template and channel governs its status, limits and hours.
 */
export function answererOfCampaign(
  campaign: Pick<Campaign, 'id' | 'agentConfigs' | 'status'>,
  channel: Channel,
  agents: readonly Agent[],
): Answerer | undefined {
  const config = campaign.agentConfigs.find((known) => known.channel === channel);
  if (!config) {
    return undefined;
  }
  const [agent] = agents.filter((known) => governs(known, config)).toSorted(byPrecedence);
  const limits = limitsOf(agent);

  return {
    ...limits,
    campaignId: campaign.id,
    template: { id: config.promptTemplateId, kind: config.templateKind },
    autoResponse: config.autoResponse,
    isActive: limits.isActive && campaign.status === 'ACTIVE',
    delaySeconds: config.responseDelay,
    variables: { ...agent?.variables, ...config.variables },
  };
}

function governs(agent: Agent, { promptTemplateId, channel }: AgentConfig): boolean {
  return agent.promptTemplateId === promptTemplateId && agent.channels.includes(channel);
}

/**
 * Returns who answers when no keyword matched. That is an agent of the channel whose template no
 * active campaign uses there, preferably an active one, then the oldest.
 *
 * @param ofCampaigns the agent configs of all active campaigns.
 */
export function answererWithoutCampaign(
  ofCampaigns: readonly AgentConfig[],
  channel: Channel,
  agents: readonly Agent[],
): Answerer | undefined {
  const [agent] = agents
    .filter(({ channels }) => channels.includes(channel))
    .filter(
      (known) =>
        !ofCampaigns.some((config) => config.channel === channel && governs(known, config)),
    )
    .toSorted(byPrecedence);

  return agent && answererOfAgent(agent);
}

/** Returns the answerer for an agent without a campaign. */
export function answererOfAgent(agent: Agent): Answerer {
  return {
    ...limitsOf(agent),
    template: { id: agent.promptTemplateId, kind: agent.templateKind },
    autoResponse: agent.autoResponse,
    delaySeconds: agent.responseDelay,
    variables: agent.variables ?? {},
  };
}
