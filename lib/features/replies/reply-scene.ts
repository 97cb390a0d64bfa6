import { type Agent, readAgents } from '#lib/features/ai/agents.ts';
import { type NamedTemplate, templateKey } from '#lib/features/ai/template-uses.ts';
import type { Template } from '#lib/features/ai/templates.ts';
import type { Balance } from '#lib/features/billing/ledger/balance.ts';
import { type Campaign, findCampaign } from '#lib/features/campaigns/campaign.ts';
import { findSocialAccount, type SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import type { Conversation, Message } from '#lib/features/social/conversations/conversation.ts';
import {
  findConversation,
  listLatestMessages,
} from '#lib/features/social/conversations/conversations.ts';
import { findConversationOf } from '#lib/features/social/conversations/messages.ts';
import { newConversation } from '#lib/features/social/conversations/new-conversation.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { get } from '#lib/platform/db/read.ts';
import { type Answerer, answererOfAgent, answererOfCampaign } from './choose-answerer.ts';
import { chooseTemplate } from './choose-template.ts';
import type { ReplyWork } from './reply-work.ts';

/** The current state of everything that a reply depends on. */
export type ReplyScene = {
  readonly account: SocialAccount;
  /** The conversation that the customer wrote in. */
  readonly source: Conversation;
  /** The conversation of the reply: the same, or the private one with this customer. */
  readonly target: Conversation;
  readonly isNewTarget: boolean;
  readonly history: readonly Message[];
  readonly answered: Message;
  readonly answerer: Answerer;
  readonly template: Template;
  /** The planned template, or its replacement if it was deleted. */
  readonly named: NamedTemplate;
  readonly isPaused: boolean;
  readonly creditsAvailable: number;
};

const historyLength = 20;

/** Reads the scene; `undefined` if a part no longer exists, so that nobody answers. */
export async function readScene(work: ReplyWork): Promise<ReplyScene | undefined> {
  const { organizationId, conversationId, messageId } = work;
  const [source, history, answered, planned, agents, campaign, balance, subscription] =
    await Promise.all([
      findConversation(organizationId, conversationId),
      listLatestMessages(organizationId, conversationId, historyLength),
      get<Message>(keys.conversationMessage(organizationId, conversationId, messageId)),
      findTemplate(organizationId, work.template),
      readAgents(organizationId),
      work.campaignId ? findCampaign(organizationId, work.campaignId) : undefined,
      get<Balance>(keys.balance(organizationId)),
      get<{ repliesPaused?: boolean }>(keys.subscription(organizationId)),
    ]);
  if (!source || !answered) {
    return undefined;
  }
  const [account, target] = await Promise.all([
    findSocialAccount(organizationId, source.accountId),
    work.way === 'reply' ? source : findPrivate(source),
  ]);
  const answerer = account && findAnswerer(work, source, agents, campaign);
  if (!account || !answerer) {
    return undefined;
  }
  const named = planned ? work.template : await chooseTemplate(source, answerer.template);
  const template = planned ?? (await findTemplate(organizationId, named));
  if (!template) {
    return undefined;
  }

  return {
    account,
    source,
    target: target ?? newPrivate(account, source),
    isNewTarget: !target,
    history,
    answered,
    answerer,
    template,
    named,
    isPaused: subscription?.repliesPaused === true,
    creditsAvailable: balance?.available ?? 0,
  };
}

function findTemplate(
  organizationId: string,
  { id, kind }: NamedTemplate,
): Promise<Template | undefined> {
  return get<Template>(templateKey(organizationId, kind, id));
}

function findPrivate({ organizationId, accountId, customer }: Conversation) {
  return findConversationOf(organizationId, accountId, 'DIRECT_MESSAGE', customer.id);
}

/** A private reply to a comment does not open the reply window. Only the customer does. */
function newPrivate(account: SocialAccount, { customer }: Conversation): Conversation {
  const conversation = newConversation({ account, channel: 'DIRECT_MESSAGE', customer });

  return { ...conversation, windowExpiresAt: conversation.createdAt };
}

function findAnswerer(
  { way, campaignId, agentId }: ReplyWork,
  { channel }: Conversation,
  agents: readonly Agent[],
  campaign: Campaign | undefined,
): Answerer | undefined {
  if (campaignId) {
    return (
      campaign && answererOfCampaign(campaign, way === 'reply' ? channel : 'DIRECT_MESSAGE', agents)
    );
  }
  const agent = agents.find(({ id }) => id === agentId);

  return agent && answererOfAgent(agent);
}
