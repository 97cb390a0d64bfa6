import type { TemplateKind } from '#lib/features/ai/template-uses.ts';
import { campaignKeys } from '#lib/platform/db/keys/campaigns.ts';
import { get } from '#lib/platform/db/read.ts';
import { badRequest, requireFound } from '#lib/platform/errors/failures.ts';
import type { MessageButton } from '#lib/vendors/networks/network.ts';
import type { CampaignStatus, MatchType } from '#schemas/campaigns.ts';
import type { Channel, Platform } from '#schemas/platforms.ts';

export type CampaignKeyword = {
  readonly id: string;
  readonly keyword: string;
  readonly matchType: MatchType;
  /** 1 is the highest priority. */
  readonly priority: number;
  readonly createdAt: string;
};

export type AgentConfig = {
  readonly id: string;
  readonly channel: Channel;
  readonly promptTemplateId: string;
  readonly templateKind: TemplateKind;
  readonly autoResponse: boolean;
  /** In seconds. */
  readonly responseDelay: number;
  readonly variables?: Readonly<Record<string, string>>;
  /** The fixed private answer to a comment. Only on the channel COMMENT. */
  readonly privateReply?: PrivateReply;
  /** Not on the channel POST. */
  readonly followUp?: FollowUp;
  readonly createdAt: string;
};

/** One message after the private answer to a comment, or after the first answer to a message. */
export type FollowUp = {
  readonly afterMinutes: number;
  readonly text: string;
  readonly unless: 'CLICKED' | 'REPLIED';
};

export type PrivateReply = {
  readonly text: string;
  readonly buttons: readonly MessageButton[];
};

export type Campaign = {
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
  readonly description?: string;
  readonly pipelineId: string;
  /** The primary network. The accounts may be on different networks. */
  readonly platform: Platform;
  readonly socialAccountIds: readonly string[];
  /** If present and not empty, comments and mentions match only under these posts. */
  readonly postIds?: readonly string[];
  readonly keywords: readonly CampaignKeyword[];
  readonly agentConfigs: readonly AgentConfig[];
  readonly webhookUrl?: string;
  readonly utmSource?: string;
  readonly utmMedium?: string;
  readonly utmCampaign?: string;
  readonly status: CampaignStatus;
  /** Incremented by every change, for optimistic locking. */
  readonly version: number;
  readonly createdAt: string;
  readonly updatedAt: string;
};

export const campaignCounter = 'CAMPAIGNS';

const nextStatuses: Readonly<Record<CampaignStatus, readonly CampaignStatus[]>> = {
  DRAFT: ['ACTIVE', 'ARCHIVED'],
  ACTIVE: ['PAUSED', 'COMPLETED', 'ARCHIVED'],
  PAUSED: ['ACTIVE', 'COMPLETED', 'ARCHIVED'],
  COMPLETED: ['ARCHIVED'],
  ARCHIVED: [],
};

/** @throws 400 if the status cannot change from `from` to `to`. */
export function requireTransition(from: CampaignStatus, to: CampaignStatus): void {
  if (from !== to && !nextStatuses[from].includes(to)) {
    throw badRequest(`status cannot go from ${from} to ${to}`);
  }
}

/** True if the campaign has ended permanently, so that other campaigns may claim its keywords. */
export function hasCampaignEnded({ status }: Pick<Campaign, 'status'>): boolean {
  return status === 'COMPLETED' || status === 'ARCHIVED';
}

export function findCampaign(
  organizationId: string,
  campaignId: string,
): Promise<Campaign | undefined> {
  return get<Campaign>(campaignKeys.campaign(organizationId, campaignId));
}

/** @throws 404 */
export async function requireCampaign(
  organizationId: string,
  campaignId: string,
): Promise<Campaign> {
  return requireFound(await findCampaign(organizationId, campaignId), 'Campaign');
}

export function presentCampaign(campaign: Campaign) {
  const { id, organizationId, name, description, pipelineId, platform, status } = campaign;

  return {
    id,
    organizationId,
    name,
    description: description ?? null,
    pipelineId,
    platform,
    socialAccountIds: campaign.socialAccountIds,
    postIds: campaign.postIds ?? [],
    keywords: campaign.keywords,
    agentConfigs: campaign.agentConfigs.map(({ templateKind: _, ...config }) => ({
      ...config,
      variables: config.variables ?? null,
      privateReply: config.privateReply ? presentPrivateReply(config.privateReply) : null,
      followUp: config.followUp ?? null,
    })),
    webhookUrl: campaign.webhookUrl ?? null,
    utmSource: campaign.utmSource ?? null,
    utmMedium: campaign.utmMedium ?? null,
    utmCampaign: campaign.utmCampaign ?? null,
    status,
    createdAt: campaign.createdAt,
    updatedAt: campaign.updatedAt,
  };
}

function presentPrivateReply({ text, buttons }: PrivateReply) {
  return { text, buttons: buttons.map((button) => ({ url: null, reply: null, ...button })) };
}
