import type { TemplateKind } from '#lib/features/ai/template-uses.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { get } from '#lib/platform/db/read.ts';
import { badRequest, notFound } from '#lib/platform/errors/failures.ts';
import type { CampaignStatus, MatchType } from '#schemas/campaigns.ts';
import type { Channel, Platform } from '#schemas/platforms.ts';

export type CampaignKeyword = {
  readonly id: string;
  readonly keyword: string;
  readonly matchType: MatchType;
  /** 1 goes first. */
  readonly priority: number;
  readonly createdAt: string;
};

/** How a campaign answers on a channel. */
export type AgentConfig = {
  readonly id: string;
  readonly channel: Channel;
  readonly promptTemplateId: string;
  readonly templateKind: TemplateKind;
  readonly autoResponse: boolean;
  /** Seconds. */
  readonly responseDelay: number;
  /** Values for the template's own variables. */
  readonly variables?: Readonly<Record<string, string>>;
  readonly createdAt: string;
};

/** A campaign as it is stored. */
export type Campaign = {
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
  readonly description?: string;
  readonly pipelineId: string;
  readonly platform: Platform;
  readonly socialAccountIds: readonly string[];
  readonly keywords: readonly CampaignKeyword[];
  readonly agentConfigs: readonly AgentConfig[];
  readonly webhookUrl?: string;
  readonly utmSource?: string;
  readonly utmMedium?: string;
  readonly utmCampaign?: string;
  readonly status: CampaignStatus;
  /** Raised by every change, so that two at once do not overwrite each other. */
  readonly version: number;
  readonly createdAt: string;
  readonly updatedAt: string;
};

/** How many campaigns the organization has. */
export const campaignCounter = 'CAMPAIGNS';

const nextStatuses: Readonly<Record<CampaignStatus, readonly CampaignStatus[]>> = {
  DRAFT: ['ACTIVE', 'ARCHIVED'],
  ACTIVE: ['PAUSED', 'COMPLETED', 'ARCHIVED'],
  PAUSED: ['ACTIVE', 'COMPLETED', 'ARCHIVED'],
  COMPLETED: ['ARCHIVED'],
  ARCHIVED: [],
};

/** @throws 400 for a status that a campaign cannot get from where it is. */
export function requireTransition(from: CampaignStatus, to: CampaignStatus): void {
  if (from !== to && !nextStatuses[from].includes(to)) {
    throw badRequest(`status cannot go from ${from} to ${to}`);
  }
}

/** Whether it is over for good: others may then have its keywords. */
export function hasEnded({ status }: Pick<Campaign, 'status'>): boolean {
  return status === 'COMPLETED' || status === 'ARCHIVED';
}

export function findCampaign(
  organizationId: string,
  campaignId: string,
): Promise<Campaign | undefined> {
  return get<Campaign>(keys.campaign(organizationId, campaignId));
}

function campaignNotFound() {
  return notFound('Campaign');
}

/** @throws 404 */
export async function requireCampaign(
  organizationId: string,
  campaignId: string,
): Promise<Campaign> {
  const campaign = await findCampaign(organizationId, campaignId);
  if (!campaign) {
    throw campaignNotFound();
  }

  return campaign;
}

/** A campaign as callers and receivers of its events see it. */
export function presentCampaign(campaign: Campaign) {
  const { id, organizationId, name, description, pipelineId, platform, status } = campaign;

  return {
    id,
    organizationId,
    name,
    description: description ?? null,
    pipelineId,
    platform,
    socialAccountIds: [...campaign.socialAccountIds],
    keywords: [...campaign.keywords],
    agentConfigs: campaign.agentConfigs.map(({ templateKind: _, ...config }) => ({
      ...config,
      variables: config.variables ?? null,
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
