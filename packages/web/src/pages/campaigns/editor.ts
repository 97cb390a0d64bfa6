import type { Campaign, Channel, NewCampaignAgentConfig, Platform } from '../../service.ts';
import type { MatchType, Status } from './campaign.ts';

/** The editor's fields, which are also its draft. */
export type Edited = {
  readonly name: string;
  readonly pipelineId: string;
  readonly status: Status;
  readonly keywords: ReadonlyArray<{ readonly keyword: string; readonly matchType: MatchType }>;
  readonly socialAccountIds: readonly string[];
  readonly channels: readonly Channel[];
  /** The id of a prompt template, or empty to write new instructions. */
  readonly templateId: string;
  readonly instructions: string;
};

export const answerable = {
  COMMENT: 'Comments',
  DIRECT_MESSAGE: 'Private messages',
} as const satisfies Partial<Record<Channel, string>>;

const instructions = `You answer customers of {{companyName}} on {{platform}}. Be friendly and brief.

If you don't know something, say that a colleague will get back to them.`;

export const newCampaign: Edited = {
  name: '',
  pipelineId: '',
  status: 'ACTIVE',
  keywords: [{ keyword: '', matchType: 'CONTAINS' }],
  socialAccountIds: [],
  channels: ['COMMENT', 'DIRECT_MESSAGE'],
  templateId: '',
  instructions,
};

export function editedOf(campaign: Campaign): Edited {
  const { name, pipelineId, status, keywords, socialAccountIds, agentConfigs } = campaign;

  return {
    ...newCampaign,
    name,
    pipelineId,
    status,
    keywords: keywords.length > 0 ? keywords : newCampaign.keywords,
    socialAccountIds,
    channels: agentConfigs.map(({ channel }) => channel),
    templateId: agentConfigs[0]?.promptTemplateId ?? '',
  };
}

/** Returns the entered keywords, in order of priority. */
export function keywordsOf({ keywords }: Pick<Edited, 'keywords'>) {
  return keywords
    .filter(({ keyword }) => keyword.trim() !== '')
    .map(({ keyword, matchType }, index) => ({ keyword, matchType, priority: index + 1 }));
}

/** Keeps settings of the remaining channels that the editor does not show. */
export function agentConfigsOf(
  { channels, templateId }: Pick<Edited, 'channels' | 'templateId'>,
  before: Campaign['agentConfigs'] = [],
): readonly NewCampaignAgentConfig[] {
  const formerTemplateId = before[0]?.promptTemplateId;

  return channels.map((channel) => {
    const known = before.find((config) => config.channel === channel);
    if (!known) {
      return { channel, promptTemplateId: templateId };
    }
    const { autoResponse, responseDelay, variables, privateReply, followUp } = known;

    return {
      channel,
      promptTemplateId: templateId === formerTemplateId ? known.promptTemplateId : templateId,
      autoResponse,
      responseDelay,
      variables,
      privateReply,
      followUp,
    } as NewCampaignAgentConfig;
  });
}

/** The network of the first account. The accounts may be on different networks. */
export function platformOf(
  { socialAccountIds }: Pick<Edited, 'socialAccountIds'>,
  accounts: ReadonlyArray<{ readonly id: string; readonly platform: Platform }>,
): Platform {
  return accounts.find(({ id }) => id === socialAccountIds[0])?.platform ?? 'FACEBOOK';
}
