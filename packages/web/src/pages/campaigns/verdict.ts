import { createKeywordMatcher } from '../../../../../lib/features/campaigns/keyword-matcher.ts';
import type { AiAgent, Campaign, CampaignAgentConfig, Channel } from '../../service.ts';
import { type MatchType, type Status, statusNames } from './campaign.ts';
import { answerable } from './editor.ts';

type Config = Pick<CampaignAgentConfig, 'channel' | 'promptTemplateId' | 'autoResponse'>;

/** A saved campaign, or the unsaved one in the editor. */
export type Tried = {
  readonly id?: string | undefined;
  readonly status: Status;
  readonly keywords: ReadonlyArray<{
    readonly keyword: string;
    readonly matchType: MatchType;
    readonly priority: number;
  }>;
  readonly socialAccountIds: readonly string[];
  readonly agentConfigs: readonly Config[];
};

type Others = {
  readonly campaigns: readonly Campaign[];
  readonly agents: ReadonlyArray<Pick<AiAgent, 'promptTemplateId' | 'channels' | 'status'>>;
};

export type Verdict = { readonly wouldReply: boolean; readonly reason: string };

/** Sorts after all ids, like the id of a new campaign. */
const newId = 'g';

/** Returns how a campaign handles a text, and why. Uses the same rules as the service. */
export function verdictOf(tried: Tried, text: string, others: Others): Verdict {
  const { id = newId, status, socialAccountIds } = tried;
  const no = (reason: string) => ({ wouldReply: false, reason });
  const matched = matchesOf([{ ...tried, id }], text)[0];
  const rivals = others.campaigns.filter((other) => other.id !== id);
  const winners = socialAccountIds.map((accountId) => {
    const [best] = matchesOf(
      [...rivals.filter((rival) => rival.socialAccountIds.includes(accountId)), { ...tried, id }],
      text,
    );

    return best?.campaignId;
  });
  const rival = rivals.find(({ id: rivalId }) => winners.includes(rivalId));
  if (!matched) {
    return no(
      rival ? `No keyword matches. “${rival.name}” answers it.` : 'None of the keywords matches.',
    );
  }
  const matches = `“${matched.keyword}” matches`;
  if (status !== 'ACTIVE') {
    return no(`${matches}, but the campaign is ${statusNames[status].toLowerCase()}.`);
  }
  if (socialAccountIds.length === 0) {
    return no(`${matches}, but the campaign has no account.`);
  }
  if (rival && !winners.includes(id)) {
    return no(`${matches}, but so does “${rival.name}”, and it comes first.`);
  }
  const channels = tried.agentConfigs
    .filter((config) => isAnswering(config, others.agents))
    .map(({ channel }) => channel);
  if (channels.length === 0) {
    return no(`${matches}, and the writer becomes a lead. But no active agent answers.`);
  }

  return {
    wouldReply: true,
    reason: `${matches}. The writer becomes a lead, and the agent answers ${named(channels)}.`,
  };
}

function matchesOf(campaigns: ReadonlyArray<Tried & { readonly id: string }>, text: string) {
  const keywords = campaigns.flatMap(({ id: campaignId, keywords: own }) =>
    own.map(({ keyword, matchType, priority }) => ({ keyword, matchType, priority, campaignId })),
  );

  return createKeywordMatcher(keywords).match(text);
}

/** If an agent has the same template and channel, the agent decides. */
function isAnswering(
  { channel, promptTemplateId, autoResponse }: Config,
  agents: Others['agents'],
) {
  const governing = agents.filter(
    (agent) => agent.promptTemplateId === promptTemplateId && agent.channels.includes(channel),
  );

  return (
    autoResponse && (governing.length === 0 || governing.some(({ status }) => status === 'ACTIVE'))
  );
}

function named(channels: readonly Channel[]): string {
  const names: Readonly<Record<string, string>> = { ...answerable, POST: 'Mentions' };

  return channels.map((channel) => (names[channel] ?? channel).toLowerCase()).join(' and ');
}
