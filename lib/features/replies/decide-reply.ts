import { readAgents } from '#lib/features/ai/agent.ts';
import { planAnswerCounts } from '#lib/features/ai/answer-counts.ts';
import type { NamedTemplate } from '#lib/features/ai/template-uses.ts';
import {
  type ActiveCampaigns,
  activeCampaigns,
  readCampaignsVersion,
} from '#lib/features/campaigns/active-campaigns.ts';
import { type Campaign, findCampaign } from '#lib/features/campaigns/campaign.ts';
import { planCampaignEvent } from '#lib/features/campaigns/campaign-events.ts';
import type { ModerationRule } from '#lib/features/campaigns/moderation-rules.ts';
import { findPostIdByPlatformId } from '#lib/features/content/posts/published-claim.ts';
import {
  type Conversation,
  isAnswerable,
  type Message,
} from '#lib/features/conversations/conversation.ts';
import {
  findConversation,
  planConversationChange,
} from '#lib/features/conversations/conversations.ts';
import { planMessageActivity } from '#lib/features/leads/activities.ts';
import { now, secondMs, timestamp } from '#lib/platform/clock.ts';
import { config } from '#lib/platform/config.ts';
import { ConditionNotMetError } from '#lib/platform/db/failures.ts';
import type { Key } from '#lib/platform/db/keys/key.ts';
import { leadKeys } from '#lib/platform/db/keys/leads.ts';
import { socialKeys } from '#lib/platform/db/keys/social.ts';
import { get } from '#lib/platform/db/read.ts';
import { retryWhenOvertaken } from '#lib/platform/db/retry-when-overtaken.ts';
import { change, ensure, type Write, write } from '#lib/platform/db/write.ts';
import { writeUnlessTaken } from '#lib/platform/db/write-if-met.ts';
import { newId } from '#lib/platform/ids.ts';
import { planWork } from '#lib/platform/work/outbox.ts';
import type { WorkRequest } from '#lib/platform/work/worker.ts';
import { capabilities } from '#lib/vendors/networks/capabilities.ts';
import { chooseTemplate } from './choose-template.ts';
import type { PlannedChange } from './hand-over.ts';
import {
  findInterrupted,
  planModeration,
  tracedModeration,
  withoutAnswer,
} from './moderate-comment.ts';
import { type NoReplyCause, planNoReply } from './no-reply.ts';
import { type MatchedLead, recordLead } from './record-lead.ts';
import {
  findPrivate,
  type ReplyWork,
  type Responder,
  responderInPrivate,
  responderOfCampaign,
  responderWithoutCampaign,
} from './reply-context.ts';
import {
  type AnswerKind,
  planTrace,
  type TracedAnswer,
  type TracedMatch,
  type TraceEntry,
} from './trace.ts';

const maxLostMatches = 10;

/**
 * Decides who answers a customer's message. If a campaign's keyword matched, creates a lead and
 * schedules the reply. If a moderation rule matches a comment, hides it instead. If the message was
 * withdrawn or hidden, schedules the reply to earlier messages again. Idempotent.
 */
export async function decideReply({ payload }: WorkRequest<'replyPlanning'>): Promise<'done'> {
  const { organizationId, conversationId, messageId } = payload;
  await retryWhenOvertaken('conversation', async () => {
    // The conversation is read first. Its changes are guarded, so the text of the message is
    // guarded, too.
    const [conversation, version] = await Promise.all([
      findConversation(organizationId, conversationId),
      readCampaignsVersion(organizationId),
    ]);
    const [message, entry] = await Promise.all([
      get<Message>(socialKeys.conversationMessage(organizationId, conversationId, messageId)),
      get<TraceEntry>(socialKeys.replyTrace(organizationId, conversationId, messageId)),
    ]);
    if (!conversation || !message) {
      return;
    }
    const campaigns = await activeCampaigns(organizationId, version);
    if (!isAnswerable(message)) {
      await decideAgain(conversation, message, campaigns);
    } else if (!entry) {
      await decide(conversation, message, await foundIn(campaigns, organizationId, message));
    }
  });

  return 'done';
}

async function foundIn(
  campaigns: ActiveCampaigns,
  organizationId: string,
  message: Message,
): Promise<Found> {
  const { type, accountId, text } = message;

  return {
    campaigns,
    matches: await matchesOf(organizationId, message, campaigns),
    rule: type === 'comment' ? campaigns.moderationRuleFor(accountId, text) : undefined,
  };
}

/**
 * Direct messages match any campaign of the account. Other messages match only under the campaign's
 * posts.
 */
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
  readonly campaigns: ActiveCampaigns;
  readonly matches: readonly TracedMatch[];
  readonly rule: ModerationRule | undefined;
};

/** Schedules the reply that a message interrupted before it was withdrawn or hidden. */
async function decideAgain(
  conversation: Conversation,
  message: Message,
  campaigns: ActiveCampaigns,
): Promise<void> {
  const { unansweredSince, lastInboundMessageId } = conversation;
  const isWaiting = unansweredSince !== undefined && lastInboundMessageId === message.id;
  const interrupted = isWaiting ? await findInterrupted(conversation, message) : undefined;
  if (!interrupted) {
    return;
  }
  const campaign = await campaignOf(conversation, undefined);
  const candidates = { campaign, campaigns };
  const ways = await findWays(conversation, interrupted, candidates);
  const plans = ways.map((way) => planWay(conversation, interrupted, way));
  const cause = plans.length > 0 ? undefined : causeOf(conversation, interrupted, candidates);
  const decided = await planDecision(conversation, plans, cause);
  await write(
    ...planConversationChange(conversation, decided.conversation),
    ...decided.writes,
    ...plans.map(({ work }) => work),
    ...planTraceAgain(conversation, interrupted, plans),
  );
}

async function decide(
  found: Conversation,
  message: Message,
  { campaigns, matches: [matched, ...lost], rule }: Found,
): Promise<void> {
  const { organizationId, id: conversationId } = found;
  const campaign = await campaignOf(found, matched);
  const { conversation, isNew, lead }: MatchedLead =
    campaign && matched
      ? await recordLead(found, message, { campaign, keyword: matched.keyword })
      : { conversation: found, isNew: false };
  if (conversation.messageChanges !== found.messageChanges) {
    throw new ConditionNotMetError(
      socialKeys.conversation(organizationId, conversationId),
      undefined,
    );
  }
  const answered = rule ? await findInterrupted(conversation, message) : message;
  const candidates = { campaign, campaigns, matched };
  const ways = answered ? await findWays(conversation, answered, candidates) : [];
  const plans = ways.map((way) => planWay(conversation, answered ?? message, way));
  const cause = plans.length > 0 ? undefined : causeOf(conversation, message, candidates);
  const entry = {
    ...traceOf(conversation, message, { matched, lost, isNew }, rule ? [] : plans),
    ...(rule ? tracedModeration(conversation, message, rule) : {}),
    ...(cause === 'NO_TEXT' ? { reply: { outcome: 'STOPPED', stopReason: cause } as const } : {}),
  };
  const [event, decided] = await Promise.all([
    planReceivedEvent(conversation, message, campaign),
    rule && plans.length === 0
      ? planModerated(conversation, message)
      : planDecision(conversation, plans, cause),
  ]);
  await writeUnlessTaken(
    [planTrace(organizationId, conversationId, entry)],
    [
      ...planConversationChange(conversation, decided.conversation),
      ...decided.writes,
      ...plans.map(({ work }) => work),
      ...(rule ? planModeration(conversation, message, rule) : []),
      ...(rule && answered ? planTraceAgain(conversation, answered, plans) : []),
      ...event,
      ...(await planActivityAndUsage(conversation, message, { campaign, lead })),
    ],
  );
}

/** Returns the reason why nobody answers a message that has no responder. */
function causeOf(
  conversation: Conversation,
  message: Message,
  { campaign, campaigns, matched }: Candidates,
): NoReplyCause {
  const { channel, campaignId = '' } = conversation;
  const { accountId, text } = message;
  if (needsPeople(conversation, message)) {
    return 'NO_TEXT';
  }
  if (matched) {
    return campaign ? 'NO_AGENT' : 'CAMPAIGN_PAUSED';
  }
  if (campaigns.matchesPaused(accountId, text) || campaigns.isPaused(campaignId)) {
    return 'CAMPAIGN_PAUSED';
  }

  return !campaign && campaigns.listensOn(accountId, channel) ? 'NO_MATCH' : 'NO_AGENT';
}

/**
 * True for a private message without text, such as a photo. The agent keeps the conversation,
 * because the customer may still write something that it can answer.
 */
function needsPeople({ controller, customer }: Conversation, { type, text }: Message): boolean {
  return (
    type === 'message' &&
    text.trim() === '' &&
    controller !== 'HUMAN' &&
    customer.optedOutAt === undefined
  );
}

/** Returns the campaign whose keyword matched, otherwise the conversation's campaign. */
async function campaignOf(
  { organizationId, campaignId: matchedBefore }: Conversation,
  matched: TracedMatch | undefined,
): Promise<Campaign | undefined> {
  const campaignId = matched?.campaignId ?? matchedBefore;
  const campaign = campaignId ? await findCampaign(organizationId, campaignId) : undefined;

  return campaign?.status === 'ACTIVE' ? campaign : undefined;
}

type FoundWay = {
  readonly way: ReplyWork['way'];
  readonly responder: Responder;
  readonly template: NamedTemplate;
};

type Candidates = {
  /** The campaign that answers. */
  readonly campaign: Campaign | undefined;
  readonly campaigns: ActiveCampaigns;
  readonly matched?: TracedMatch | undefined;
};

/** Returns how the message is answered: in its conversation and, for comments, also privately. */
async function findWays(
  conversation: Conversation,
  message: Message,
  { campaign, campaigns }: Candidates,
): Promise<readonly FoundWay[]> {
  const { organizationId, channel } = conversation;
  const agents = await readAgents(organizationId);
  const responder = campaign
    ? responderOfCampaign(campaign, channel, agents)
    : responderWithoutCampaign(campaigns.agentConfigs, channel, agents);
  const inPrivate =
    campaign && isAnsweredInPrivate(conversation, message)
      ? responderInPrivate(campaign, agents)
      : undefined;
  const found = [
    ...(responder ? [{ way: 'reply', responder } as const] : []),
    ...(inPrivate ? [{ way: 'privateReply', responder: inPrivate } as const] : []),
  ];

  return Promise.all(
    found.map(async ({ way, responder: by }) => ({
      way,
      responder: by,
      template:
        way === 'reply'
          ? await chooseTemplate(conversation, by.template)
          : await chooseInPrivate(conversation, by.template),
    })),
  );
}

/** The private conversation keeps its variant, too, if it already has one. */
async function chooseInPrivate(
  conversation: Conversation,
  named: NamedTemplate,
): Promise<NamedTemplate> {
  const inPrivate =
    named.kind === 'INTERACTIVE_TEMPLATE' ? await findPrivate(conversation) : undefined;

  return chooseTemplate(conversation, named, inPrivate);
}

function isAnsweredInPrivate({ platform, channel }: Conversation, { type }: Message): boolean {
  return (
    channel === 'COMMENT' && type === 'comment' && capabilities[platform].supports.privateReply
  );
}

type Plan = FoundWay & { readonly reply: ReplyWork; readonly dueAt: string; readonly work: Write };

function planWay(conversation: Conversation, message: Message, found: FoundWay): Plan {
  const { organizationId, id: conversationId, lastInboundMessageId } = conversation;
  const { way, responder, template } = found;
  const reply: ReplyWork = {
    organizationId,
    conversationId,
    messageId: message.id,
    replyId: newId(),
    way,
    sawUpTo: lastInboundMessageId ?? message.id,
    from: firstAnswered(conversation, message),
    ...(responder.campaignId ? { campaignId: responder.campaignId } : {}),
    ...(responder.agentId ? { agentId: responder.agentId } : {}),
    template,
  };
  const dueMs = dueAfterMs(conversation, responder.delaySeconds);
  const work = planWork('reply', {
    owner: socialKeys.conversation(organizationId, conversationId),
    payload: reply,
    workId: reply.replyId,
    delayMs: dueMs,
  });

  return { ...found, reply, dueAt: timestamp(dueMs), work };
}

/** Returns the first of the messages that a reply to this one answers, including pending ones. */
function firstAnswered({ replyToken, replyFrom }: Conversation, { id }: Message): string {
  return replyToken !== undefined && replyFrom !== undefined && replyFrom < id ? replyFrom : id;
}

/**
 * Waits for the agent's delay, and at least until the customer has stopped writing. Another message
 * postpones the reply without restarting the delay.
 */
function dueAfterMs({ replyToken, replyDueAt }: Conversation, delaySeconds: number): number {
  const delayMs =
    replyToken && replyDueAt ? Date.parse(replyDueAt) - now() : delaySeconds * secondMs;

  return Math.max(delayMs, config.ai.quietMs);
}

async function planDecision(
  conversation: Conversation,
  plans: readonly Plan[],
  cause: NoReplyCause | undefined,
): Promise<PlannedChange> {
  return cause
    ? planNoReply({ ...conversation, updatedAt: timestamp() }, cause)
    : { conversation: withPlans(conversation, plans), writes: [] };
}

async function planModerated(conversation: Conversation, message: Message): Promise<PlannedChange> {
  const after = await withoutAnswer(conversation, message);

  return { conversation: { ...after, updatedAt: timestamp() }, writes: [] };
}

function withPlans(conversation: Conversation, plans: readonly Plan[]): Conversation {
  const answer = plans.find(({ way }) => way === 'reply');
  const { isUnattended: _, ...attended } = conversation;
  const planned = answer
    ? {
        replyToken: answer.reply.replyId,
        replyDueAt: answer.dueAt,
        ...(answer.reply.from === undefined ? {} : { replyFrom: answer.reply.from }),
      }
    : {};

  return { ...attended, ...planned, updatedAt: timestamp() };
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
  const answerOn = (wanted: AnswerKind) => tracedPlan(plans.find(({ way }) => way === wanted));
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

/** Adds the new plans to the trace of a message that was already decided. */
function planTraceAgain(
  { organizationId, id: conversationId }: Conversation,
  { id: messageId }: Message,
  plans: readonly Plan[],
): readonly Write[] {
  const set = Object.fromEntries(plans.map((plan) => [plan.way, tracedPlan(plan)]));
  const key = socialKeys.replyTrace(organizationId, conversationId, messageId);

  return plans.length === 0
    ? []
    : [change(key, { set: { ...set, updatedAt: timestamp() }, orCreate: true })];
}

function tracedPlan(plan: Plan | undefined): TracedAnswer | undefined {
  if (!plan) {
    return undefined;
  }
  const { campaignId, agentId } = plan.responder;

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

/** Plans writes for the message's lead and campaign. A deleted lead gets no activity. */
async function planActivityAndUsage(
  conversation: Conversation,
  message: Message,
  {
    campaign,
    lead: known,
  }: { readonly campaign: Campaign | undefined; readonly lead: Key | undefined },
): Promise<readonly Write[]> {
  const { organizationId, leadId } = conversation;
  const lead = known ?? (leadId ? await get(leadKeys.lead(organizationId, leadId)) : undefined);

  return [
    ...(lead && leadId
      ? [ensure(lead), planMessageActivity(organizationId, leadId, message, conversation)]
      : []),
    ...(campaign
      ? [planAnswerCounts(organizationId, 'CAMPAIGN', campaign.id, { interactions: 1 })]
      : []),
  ];
}
