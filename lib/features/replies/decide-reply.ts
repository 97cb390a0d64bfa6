import { readAgents } from '#lib/features/ai/agents.ts';
import type { NamedTemplate } from '#lib/features/ai/template-uses.ts';
import { planUsageCount } from '#lib/features/ai/usage.ts';
import {
  type ActiveCampaigns,
  activeCampaigns,
  readCampaignsVersion,
} from '#lib/features/campaigns/active-campaigns.ts';
import { type AgentConfig, type Campaign, findCampaign } from '#lib/features/campaigns/campaign.ts';
import { planCampaignEvent } from '#lib/features/campaigns/campaign-events.ts';
import type { ModerationRule } from '#lib/features/campaigns/moderation-rules.ts';
import { findPostIdByPlatformId } from '#lib/features/content/posts/post-writes.ts';
import { planActivity } from '#lib/features/leads/activities.ts';
import type { Conversation, Message } from '#lib/features/social/conversations/conversation.ts';
import {
  findConversation,
  planConversationChange,
} from '#lib/features/social/conversations/conversations.ts';
import { cutToLength } from '#lib/platform/characters.ts';
import { now, secondMs, timestamp } from '#lib/platform/clock.ts';
import { config } from '#lib/platform/config.ts';
import { type Key, keys } from '#lib/platform/db/keys.ts';
import { get } from '#lib/platform/db/read.ts';
import { retryWhenOvertaken } from '#lib/platform/db/retry-when-overtaken.ts';
import { change, ensure, type Write } from '#lib/platform/db/write.ts';
import { writeUnlessTaken } from '#lib/platform/db/write-if-met.ts';
import { newId } from '#lib/platform/ids.ts';
import { planWork } from '#lib/platform/work/outbox.ts';
import type { WorkRequest } from '#lib/platform/work/worker.ts';
import { capabilities } from '#lib/vendors/networks/capabilities.ts';
import type { WorkPayload } from '#schemas/messages.ts';
import {
  findInterrupted,
  planModeration,
  tracedModeration,
  withoutAnswer,
} from './moderate-comment.ts';
import { type MatchedLead, recordLead } from './record-lead.ts';
import {
  type Answerer,
  answererInPrivate,
  answererOfCampaign,
  answererWithoutCampaign,
  chooseTemplate,
  type ReplyWork,
} from './reply-scene.ts';
import {
  planTrace,
  type TracedAnswer,
  type TracedMatch,
  type TraceEntry,
  type Way,
} from './trace.ts';

const maxLostMatches = 10;
const maxDescription = 500;

/**
 * Decides who answers a customer's message. Creates a lead if a campaign's keyword matched, and
 * schedules the reply. A comment that a moderation rule matches is hidden instead. Idempotent.
 */
export async function decideReply({ payload }: WorkRequest<'replyPlanning'>): Promise<'done'> {
  const { organizationId, conversationId, messageId } = payload;
  const [message, entry, version] = await Promise.all([
    get<Message>(keys.conversationMessage(organizationId, conversationId, messageId)),
    get<TraceEntry>(keys.replyTrace(organizationId, conversationId, messageId)),
    readCampaignsVersion(organizationId),
  ]);
  if (!message || message.deletedAt || entry) {
    return 'done';
  }
  const campaigns = await activeCampaigns(organizationId, version);
  const matches = await matchesOf(organizationId, message, campaigns);
  const rule =
    message.type === 'comment'
      ? campaigns.moderationRuleFor(message.accountId, message.text)
      : undefined;
  await retryWhenOvertaken('conversation', () =>
    decide(payload, message, { ofCampaigns: campaigns.agentConfigs, matches, rule }),
  );

  return 'done';
}

/** Direct messages match any campaign of the account, others only under the campaign's posts. */
async function matchesOf(
  organizationId: string,
  { accountId, type, text, platformPostId }: Message,
  { matchFor, postIdsOf }: ActiveCampaigns,
): Promise<readonly TracedMatch[]> {
  const matches = matchFor(accountId, text).map(tracedMatch);
  const isLimited = matches.some(({ campaignId }) => postIdsOf(campaignId).length > 0);
  if (type === 'message' || !isLimited) {
    return matches;
  }
  const postId =
    platformPostId && (await findPostIdByPlatformId(organizationId, accountId, platformPostId));

  return matches.filter(({ campaignId }) => {
    const postIds = postIdsOf(campaignId);

    return postIds.length === 0 || (postId !== undefined && postIds.includes(postId));
  });
}

function tracedMatch({ campaignId, keyword, matchType, priority }: TracedMatch): TracedMatch {
  return { campaignId, keyword, matchType, priority };
}

type Found = {
  readonly ofCampaigns: readonly AgentConfig[];
  readonly matches: readonly TracedMatch[];
  readonly rule: ModerationRule | undefined;
};

async function decide(
  { organizationId, conversationId }: WorkPayload<'replyPlanning'>,
  message: Message,
  { ofCampaigns, matches: [matched, ...lost], rule }: Found,
): Promise<void> {
  const found = await findConversation(organizationId, conversationId);
  if (!found) {
    return;
  }
  const campaign = await campaignOf(found, matched);
  const { conversation, isNew, lead }: MatchedLead =
    campaign && matched
      ? await recordLead(found, message, { campaign, keyword: matched.keyword })
      : { conversation: found, isNew: false };
  const answered = rule ? await findInterrupted(conversation, message) : message;
  const ways = answered ? await findWays(conversation, answered, { campaign, ofCampaigns }) : [];
  const plans = ways.map((way) => planWay(conversation, answered ?? message, way));
  const entry = {
    ...traceOf(conversation, message, { matched, lost, isNew }, rule ? [] : plans),
    ...(rule ? tracedModeration(conversation, message, rule) : {}),
  };
  const event = await planReceivedEvent(conversation, message, campaign);
  await writeUnlessTaken(
    [planTrace(organizationId, conversationId, entry)],
    [
      ...planConversationChange(
        conversation,
        rule && plans.length === 0
          ? { ...withoutAnswer(conversation, message), updatedAt: timestamp() }
          : withPlans(conversation, plans),
      ),
      ...plans.map(({ work }) => work),
      ...(rule ? planModeration(conversation, message, rule) : []),
      ...(rule && answered ? planTraceAgain(conversation, answered, plans) : []),
      ...event,
      ...(await planActivityAndUsage(conversation, message, { campaign, lead })),
    ],
  );
}

/** Returns the campaign whose keyword matched, or else the conversation's campaign. */
async function campaignOf(
  { organizationId, matchedCampaignId }: Conversation,
  matched: TracedMatch | undefined,
): Promise<Campaign | undefined> {
  const campaignId = matched?.campaignId ?? matchedCampaignId;
  const campaign = campaignId ? await findCampaign(organizationId, campaignId) : undefined;

  return campaign?.status === 'ACTIVE' ? campaign : undefined;
}

type FoundWay = {
  readonly way: ReplyWork['way'];
  readonly answerer: Answerer;
  readonly template: NamedTemplate;
};

type FoundCampaigns = {
  readonly campaign: Campaign | undefined;
  readonly ofCampaigns: readonly AgentConfig[];
};

/** Returns how the message is answered: in its conversation and, for comments, also privately. */
async function findWays(
  conversation: Conversation,
  message: Message,
  { campaign, ofCampaigns }: FoundCampaigns,
): Promise<readonly FoundWay[]> {
  const { organizationId, channel } = conversation;
  const agents = await readAgents(organizationId);
  const answerer = campaign
    ? answererOfCampaign(campaign, channel, agents)
    : answererWithoutCampaign(ofCampaigns, channel, agents);
  const inPrivate =
    campaign && isAnsweredInPrivate(conversation, message)
      ? answererInPrivate(campaign, agents)
      : undefined;
  const found = [
    ...(answerer ? [{ way: 'reply', answerer } as const] : []),
    ...(inPrivate ? [{ way: 'privateReply', answerer: inPrivate } as const] : []),
  ];

  return Promise.all(
    found.map(async ({ way, answerer: by }) => ({
      way,
      answerer: by,
      template: await chooseTemplate(conversation, by.template),
    })),
  );
}

function isAnsweredInPrivate({ platform, channel }: Conversation, { type }: Message): boolean {
  return (
    channel === 'COMMENT' && type === 'comment' && capabilities[platform].supports.privateReply
  );
}

type Plan = FoundWay & { readonly reply: ReplyWork; readonly dueAt: string; readonly work: Write };

function planWay(conversation: Conversation, message: Message, found: FoundWay): Plan {
  const { organizationId, id: conversationId, lastInboundMessageId } = conversation;
  const { way, answerer, template } = found;
  const reply: ReplyWork = {
    organizationId,
    conversationId,
    messageId: message.id,
    replyId: newId(),
    way,
    sawUpTo: lastInboundMessageId ?? message.id,
    from: firstAnswered(conversation, message),
    ...(answerer.campaignId ? { campaignId: answerer.campaignId } : {}),
    ...(answerer.agentId ? { agentId: answerer.agentId } : {}),
    template,
  };
  const dueMs = dueAfterMs(conversation, answerer.delaySeconds);
  const work = planWork('reply', {
    owner: keys.conversation(organizationId, conversationId),
    payload: reply,
    workId: reply.replyId,
    delayMs: dueMs,
  });

  return { ...found, reply, dueAt: timestamp(dueMs), work };
}

/** Returns the first of the messages that a reply to this one answers, with those still pending. */
function firstAnswered({ replyToken, replyFrom }: Conversation, { id }: Message): string {
  return replyToken !== undefined && replyFrom !== undefined && replyFrom < id ? replyFrom : id;
}

/**
 * Waits for the agent's delay, and at least until the customer has stopped writing. A quick
 * follow-up message postpones the reply without restarting the delay.
 */
function dueAfterMs({ replyToken, replyDueAt }: Conversation, delaySeconds: number): number {
  const delayMs =
    replyToken && replyDueAt ? Date.parse(replyDueAt) - now() : delaySeconds * secondMs;

  return Math.max(delayMs, config.ai.quietMs);
}

function withPlans(conversation: Conversation, plans: readonly Plan[]): Conversation {
  const answer = plans.find(({ way }) => way === 'reply');
  const { isUnattended: _, ...attended } = conversation;

  return answer
    ? {
        ...attended,
        replyToken: answer.reply.replyId,
        replyDueAt: answer.dueAt,
        ...(answer.reply.from === undefined ? {} : { replyFrom: answer.reply.from }),
        template: answer.template,
        ...(answer.answerer.agentId ? { agentId: answer.answerer.agentId } : {}),
        updatedAt: timestamp(),
      }
    : { ...attended, ...(plans.length > 0 ? {} : { isUnattended: true }), updatedAt: timestamp() };
}

type Matching = {
  readonly matched: TracedMatch | undefined;
  readonly lost: readonly TracedMatch[];
  readonly isNew: boolean;
};

function traceOf(
  { leadId }: Conversation,
  { id: messageId, type = 'message' }: Message,
  { matched, lost, isNew }: Matching,
  plans: readonly Plan[],
): TraceEntry {
  const answerOn = (wanted: Way) => tracedPlan(plans.find(({ way }) => way === wanted));
  const inPrivate = answerOn('privateReply');
  const now = timestamp();

  return {
    messageId,
    type,
    ...(matched ? { matched } : {}),
    lost: lost.slice(0, maxLostMatches),
    ...(leadId ? { leadId } : {}),
    isNewLead: isNew,
    reply: answerOn('reply') ?? { outcome: 'NOBODY' },
    ...(inPrivate ? { privateReply: inPrivate } : {}),
    createdAt: now,
    updatedAt: now,
  };
}

/** Traces the new plans of a message that was decided before. */
function planTraceAgain(
  { organizationId, id: conversationId }: Conversation,
  { id: messageId }: Message,
  plans: readonly Plan[],
): readonly Write[] {
  const set = Object.fromEntries(plans.map((plan) => [plan.way, tracedPlan(plan)]));
  const key = keys.replyTrace(organizationId, conversationId, messageId);

  return plans.length === 0
    ? []
    : [change(key, { set: { ...set, updatedAt: timestamp() }, orCreate: true })];
}

function tracedPlan(plan: Plan | undefined): TracedAnswer | undefined {
  if (!plan) {
    return undefined;
  }
  const { campaignId, agentId } = plan.answerer;

  return {
    outcome: 'PLANNED',
    ...(campaignId ? { campaignId } : {}),
    ...(agentId ? { agentId } : {}),
    templateId: plan.template.id,
    replyId: plan.reply.replyId,
    plannedFor: plan.dueAt,
  };
}

async function planReceivedEvent(
  { organizationId, channel, id: conversationId, customer }: Conversation,
  { id: messageId, text, createdAt }: Message,
  campaign: Campaign | undefined,
): Promise<readonly Write[]> {
  return campaign
    ? planCampaignEvent(organizationId, campaign.id, {
        type: 'message.received',
        data: { channel, conversationId, messageId, customer, text, createdAt },
      })
    : [];
}

/** Writes for the message's lead and campaign. A deleted lead gets no activity. */
async function planActivityAndUsage(
  { organizationId, leadId, channel }: Conversation,
  { id, text, createdAt }: Message,
  {
    campaign,
    lead: known,
  }: { readonly campaign: Campaign | undefined; readonly lead: Key | undefined },
): Promise<readonly Write[]> {
  const lead = known ?? (leadId ? await get(keys.lead(organizationId, leadId)) : undefined);
  const activity = {
    id,
    leadId: leadId ?? '',
    type: 'MESSAGE_RECEIVED',
    description: cutToLength(text, maxDescription),
    metadata: { messageId: id, channel },
    createdAt,
  } as const;

  return [
    ...(lead ? [ensure(lead), planActivity(organizationId, activity)] : []),
    ...(campaign
      ? [planUsageCount(organizationId, 'CAMPAIGN', campaign.id, { interactions: 1 })]
      : []),
  ];
}
