import { type Agent, defaultMaxResponses, findAgent, readAgents } from '#lib/features/ai/agent.ts';
import type { Template } from '#lib/features/ai/template.ts';
import { type NamedTemplate, templateKey } from '#lib/features/ai/template-uses.ts';
import type { Balance } from '#lib/features/billing/ledger/balance.ts';
import {
  type AgentConfig,
  type Campaign,
  findCampaign,
  type PrivateReply,
} from '#lib/features/campaigns/campaign.ts';
import type {
  Conversation,
  FollowUpStart,
  Message,
} from '#lib/features/conversations/conversation.ts';
import { findConversation, listLatestMessages } from '#lib/features/conversations/conversations.ts';
import { findOptOut } from '#lib/features/conversations/inbound/opt-out.ts';
import { findConversationOf } from '#lib/features/conversations/messages/messages.ts';
import { newConversation } from '#lib/features/conversations/new-conversation.ts';
import { canReply } from '#lib/features/conversations/outbound/can-reply.ts';
import { findOrganization, type Organization } from '#lib/features/organizations/organizations.ts';
import { findSocialAccount, type SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { now } from '#lib/platform/clock.ts';
import { billingKeys } from '#lib/platform/db/keys/billing.ts';
import { socialKeys } from '#lib/platform/db/keys/social.ts';
import { get } from '#lib/platform/db/read.ts';
import { isExhausted } from '#lib/platform/rate-limits/rate-limiter.ts';
import { timeOfDay } from '#lib/platform/time-zone.ts';
import { maxReplyLength, replyLength } from '#lib/vendors/networks/text-length.ts';
import type { BusinessHours } from '#schemas/ai.ts';
import type { ReadonlyDeep } from '#schemas/contract.ts';
import type { StopReason } from '#schemas/conversation-reasons.ts';
import type { Channel } from '#schemas/platforms.ts';
import type { PlannedReply } from '#schemas/work-payloads.ts';
import { chooseTemplate } from './choose-template.ts';
import { followUpStart } from './follow-up.ts';

export type ReplyWork = ReadonlyDeep<PlannedReply>;

/** The state that decides, together with the responder, whether the agent may reply now. */
type Circumstances = {
  readonly account: SocialAccount;
  readonly isPaused: boolean;
  readonly isSuspended: boolean;
  readonly creditsAvailable: number;
  /** True if the account has reached its limit of replies for this hour. */
  readonly isRateLimited: boolean;
  /** True if the customer has opted out of automatic answers on this account. */
  readonly isOptedOut: boolean;
  /** False if the network's limit leaves no room for an answer before the ending. */
  readonly hasRoom: boolean;
};

/** The current state of everything that a reply depends on. */
export type ReplyContext = Circumstances & {
  /** The conversation that the customer wrote in. */
  readonly source: Conversation;
  /** The conversation of the reply: the same one, or the private one with this customer. */
  readonly target: Conversation;
  readonly isNewTarget: boolean;
  readonly history: readonly Message[];
  readonly answered: Message;
  readonly responder: Responder;
  readonly template: Template;
  /** The planned template, or its replacement if it was deleted. */
  readonly named: NamedTemplate;
  readonly organization: Organization | undefined;
  /** The campaign that the reply belongs to. */
  readonly campaign: Campaign | undefined;
  /** The end of the answer: the AI disclosure on a separate line, or nothing. */
  readonly ending: string;
  /** The follow-up that the answer starts. */
  readonly followUp?: FollowUpStart;
};

/** The agent or campaign that answers on a channel, with its template and limits. */
export type Responder = {
  readonly campaignId?: string;
  readonly agentId?: string;
  readonly template: NamedTemplate;
  readonly autoResponse: boolean;
  readonly isActive: boolean;
  readonly delaySeconds: number;
  readonly maxResponses: number;
  readonly hours?: BusinessHours;
  readonly variables: Readonly<Record<string, string>>;
  /** The agent's knowledge sources, if it has any. */
  readonly knowledgeSourceIds?: readonly string[];
  readonly minConfidence?: number;
  /** The campaign's private answer to a comment, which replaces the AI's. */
  readonly fixed?: FixedAnswer;
};

export type FixedAnswer = { readonly privateReply: PrivateReply; readonly campaign: Campaign };

const historyLength = 20;

/** Reads the context. `undefined` if a part no longer exists, so that nobody answers. */
export async function readReplyContext(work: ReplyWork): Promise<ReplyContext | undefined> {
  const { organizationId, conversationId, messageId } = work;
  const [source, planned, agents, campaign, balance, subscription, organization] =
    await Promise.all([
      findConversation(organizationId, conversationId),
      findTemplate(organizationId, work.template),
      readCandidates(work),
      work.campaignId ? findCampaign(organizationId, work.campaignId) : undefined,
      get<Balance>(billingKeys.balance(organizationId)),
      get<{ repliesPaused?: boolean }>(billingKeys.subscription(organizationId)),
      findOrganization(organizationId),
    ]);
  if (!source) {
    return undefined;
  }
  // Messages are read after their conversation, so the claim fails if one of them changes
  // afterwards.
  const [history, answered, account, target, isRateLimited, optOut] = await Promise.all([
    listLatestMessages(organizationId, conversationId, historyLength),
    get<Message>(socialKeys.conversationMessage(organizationId, conversationId, messageId)),
    findSocialAccount(organizationId, source.socialAccountId),
    work.way === 'reply' ? source : findPrivate(source),
    isExhausted('aiReplies', source.socialAccountId),
    findOptOut(source),
  ]);
  const responder = account && findResponder(work, source, agents, campaign);
  if (!answered || !account || !responder) {
    return undefined;
  }
  const named = planned ? work.template : await chooseTemplate(source, responder.template, target);
  const template = planned ?? (await findTemplate(organizationId, named));
  if (!template) {
    return undefined;
  }
  const place = target ?? newPrivate(account, source);
  const followUp =
    campaign && followUpStart(work.way, { source, target: place, history, campaign });
  const ending = endingOf(place, organization);

  return {
    account,
    source,
    target: place,
    isNewTarget: !target,
    history,
    answered,
    responder,
    template,
    named,
    organization,
    campaign,
    isPaused: subscription?.repliesPaused === true,
    isSuspended: organization?.suspendedAt !== undefined,
    creditsAvailable: balance?.available ?? 0,
    isRateLimited,
    isOptedOut: optOut !== undefined,
    ...(followUp ? { followUp } : {}),
    ending,
    hasRoom: hasRoom(place, ending),
  };
}

/** A shorter answer would not be useful. */
const minAnswerLength = 20;

function hasRoom({ platform, channel }: Conversation, ending: string): boolean {
  const used = replyLength(platform, channel, ending);

  return used === 0 || used + minAnswerLength <= maxReplyLength(platform, channel);
}

/** The agent's first answer in a conversation discloses that an AI wrote it. */
function endingOf({ responseCount }: Conversation, organization: Organization | undefined): string {
  const { aiDisclosure } = organization?.settings ?? {};

  return aiDisclosure && responseCount === 0 ? `\n${aiDisclosure}` : '';
}

/** Any agent may control a campaign's replies. Without a campaign, the planned agent answers. */
async function readCandidates({
  organizationId,
  campaignId,
  agentId,
}: ReplyWork): Promise<readonly Agent[]> {
  if (campaignId || !agentId) {
    return readAgents(organizationId);
  }
  const agent = await findAgent(organizationId, agentId);

  return agent ? [agent] : [];
}

function findTemplate(
  organizationId: string,
  { id, kind }: NamedTemplate,
): Promise<Template | undefined> {
  return get<Template>(templateKey(organizationId, kind, id));
}

/** Returns the private conversation with the customer of a comment. */
export function findPrivate({ organizationId, socialAccountId, customer }: Conversation) {
  return findConversationOf(organizationId, socialAccountId, 'DIRECT_MESSAGE', customer.id);
}

/**
 * A private reply to a comment does not open the reply window. Only the customer's message does.
 */
function newPrivate(account: SocialAccount, { customer }: Conversation): Conversation {
  const conversation = newConversation({ account, channel: 'DIRECT_MESSAGE', customer });

  return { ...conversation, windowExpiresAt: conversation.createdAt };
}

function findResponder(
  { way, campaignId, agentId }: ReplyWork,
  { channel }: Conversation,
  agents: readonly Agent[],
  campaign: Campaign | undefined,
): Responder | undefined {
  if (campaignId) {
    return (
      campaign &&
      (way === 'reply'
        ? responderOfCampaign(campaign, channel, agents)
        : responderInPrivate(campaign, agents))
    );
  }
  const agent = agents.find(({ id }) => id === agentId);

  return agent && responderOfAgent(agent);
}

/**
 * Returns the responder of a campaign on a channel, if it has one. The organization's agent with
 * the same template and channel determines its status, limits and hours.
 */
export function responderOfCampaign(
  campaign: Pick<Campaign, 'id' | 'agentConfigs' | 'status'>,
  channel: Channel,
  agents: readonly Agent[],
): Responder | undefined {
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

/**
 * Returns the responder for private answers to a comment: the fixed answer of the campaign's agent
 * for comments, otherwise its agent for direct messages.
 */
export function responderInPrivate(
  campaign: Campaign,
  agents: readonly Agent[],
): Responder | undefined {
  const ofComments = campaign.agentConfigs.find(({ channel }) => channel === 'COMMENT');
  if (!ofComments?.privateReply) {
    return responderOfCampaign(campaign, 'DIRECT_MESSAGE', agents);
  }
  const responder = responderOfCampaign(campaign, 'COMMENT', agents);

  return responder && { ...responder, fixed: { privateReply: ofComments.privateReply, campaign } };
}

/**
 * Returns the responder if no keyword matched: an agent of the channel whose template no active
 * campaign uses there. Active agents come first, then older ones.
 *
 * @param ofCampaigns the agent configs of all active campaigns.
 */
export function responderWithoutCampaign(
  ofCampaigns: readonly AgentConfig[],
  channel: Channel,
  agents: readonly Agent[],
): Responder | undefined {
  const [agent] = agents
    .filter(({ channels }) => channels.includes(channel))
    .filter(
      (known) =>
        !ofCampaigns.some((config) => config.channel === channel && governs(known, config)),
    )
    .toSorted(byPrecedence);

  return agent && responderOfAgent(agent);
}

function responderOfAgent(agent: Agent): Responder {
  return {
    ...limitsOf(agent),
    template: { id: agent.promptTemplateId, kind: agent.templateKind },
    autoResponse: agent.autoResponse,
    delaySeconds: agent.responseDelay,
    variables: agent.variables ?? {},
  };
}

function governs(agent: Agent, { promptTemplateId, channel }: AgentConfig): boolean {
  return agent.promptTemplateId === promptTemplateId && agent.channels.includes(channel);
}

function byPrecedence(one: Agent, other: Agent): number {
  const rank = ({ status }: Agent) => (status === 'ACTIVE' ? 0 : 1);

  return rank(one) - rank(other) || one.id.localeCompare(other.id);
}

function limitsOf(agent: Agent | undefined) {
  return {
    ...(agent ? { agentId: agent.id } : {}),
    isActive: !agent || agent.status === 'ACTIVE',
    maxResponses: agent?.maxResponsesPerConversation ?? defaultMaxResponses,
    ...(agent?.knowledgeSourceIds ? { knowledgeSourceIds: agent.knowledgeSourceIds } : {}),
    ...(agent?.minConfidence === undefined ? {} : { minConfidence: agent.minConfidence }),
    ...(agent?.businessHoursOnly && agent.businessHours ? { hours: agent.businessHours } : {}),
  };
}

/** Returns the reason why the agent does not reply. The order of the reasons is fixed. */
export function stopReasonOf(
  responder: Responder,
  circumstances: Circumstances & { readonly conversation: Conversation },
): StopReason | undefined {
  const { conversation, account, isPaused, creditsAvailable, isRateLimited } = circumstances;
  const { isOptedOut, hasRoom, isSuspended } = circumstances;
  const { autoResponse, isActive, hours, maxResponses } = responder;
  const permission = canReply(conversation, account, 'BOT');
  const reasons: ReadonlyArray<readonly [boolean, StopReason]> = [
    [isOptedOut, 'OPTED_OUT'],
    [isSuspended, 'AGENT_INACTIVE'],
    [!autoResponse, 'AUTO_RESPONSE_OFF'],
    [!isActive, 'AGENT_INACTIVE'],
    [conversation.controller === 'HUMAN', 'HUMAN_TAKEOVER'],
    [hours !== undefined && !isWithinHours(hours, now()), 'OUTSIDE_BUSINESS_HOURS'],
    [conversation.responseCount >= maxResponses, 'MAX_RESPONSES'],
    [!permission.allowed && permission.reason === 'WINDOW_CLOSED', 'WINDOW_CLOSED'],
    [!permission.allowed || !hasRoom, 'NOT_SUPPORTED'],
    [isPaused, 'SUBSCRIPTION_PAUSED'],
    [creditsAvailable < 1, 'NO_CREDITS'],
    [isRateLimited, 'RATE_LIMITED'],
  ];

  return reasons.find(([holds]) => holds)?.[1];
}

/**
 * True if the time is within the hours, in their time zone. The end is exclusive. Hours whose end
 * is not after their start span midnight. Equal start and end mean the whole day.
 */
export function isWithinHours({ start, end, timezone }: BusinessHours, at: number): boolean {
  const time = timeOfDay(at, timezone);
  if (start === end) {
    return true;
  }

  return start < end ? start <= time && time < end : time >= start || time < end;
}
