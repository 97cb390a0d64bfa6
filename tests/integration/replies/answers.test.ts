import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { readAnswerCounts } from '#lib/features/ai/answer-counts.ts';
import { keys } from '#lib/platform/db/keys.ts';
import {
  createInteractiveTemplate,
  deleteInteractiveTemplate,
  getInteractiveTemplate,
  listAgents,
  updateAgent,
} from '#schemas/ai.ts';
import { deleteCampaign, getCampaign, updateCampaign } from '#schemas/campaigns.ts';
import { createContentPost, getContentPerformance } from '#schemas/content.ts';
import type { Contract } from '#schemas/contract.ts';
import { rateConversation, replyToConversation } from '#schemas/conversations.ts';
import {
  convertConversation,
  createPipeline,
  deleteLead,
  getLead,
  moveLeadStage,
  updateLead,
} from '#schemas/leads.ts';
import { receiverUrl } from '#scripts/fixtures/sandbox.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { sandbox } from '#tests/support/mails.ts';
import { receivedEvents } from '#tests/support/received-events.ts';
import { storedItems } from '#tests/support/table.ts';
import { drainWork } from '#tests/support/work.ts';
import { newCustomer, type ReplySetup, replySetup } from './setup.ts';

let world: ReplySetup;

beforeEach(async () => {
  world = replySetup(await newAccount());
});

describe('a comment with a keyword', () => {
  test('is answered publicly and privately, creates a lead, and costs a credit per answer', async () => {
    const account = await world.account();
    const campaign = await world.campaign(account);
    const from = newCustomer();

    await world.say(account, { type: 'comment', text: 'What is the price?', from }, 20);
    await world.workOff();

    // The two answers are sent independently, in any order.
    const replies = await world.replies(account);
    expect(replies.toSorted((one, other) => one.kind.localeCompare(other.kind))).toMatchObject([
      { kind: 'comment', text: expect.stringContaining('Analytical Engines') },
      { kind: 'message', text: expect.stringContaining('What is the price?') },
    ]);
    expect(await world.leads()).toMatchObject([
      { source: 'social_media', status: 'NEW', contact: { name: from.name } },
    ]);
    expect(await world.credits()).toEqual([98, 98]);
    const conversations = await world.conversations(account);
    expect(conversations).toMatchObject([
      { channel: 'DIRECT_MESSAGE', messages: [{ author: 'BOT', status: 'SENT' }] },
      {
        channel: 'COMMENT',
        campaignId: campaign.id,
        controller: 'BOT',
        stopReason: null,
        responseCount: 1,
        messages: [
          { author: 'CUSTOMER', status: 'RECEIVED' },
          { author: 'BOT', status: 'SENT' },
        ],
      },
    ]);
    expect(await world.trace(conversations[1].id)).toMatchObject([
      {
        verified: true,
        matched: { campaignId: campaign.id, keyword: 'price' },
        isNewLead: true,
        reply: { outcome: 'SENT', campaignId: campaign.id, promptTokens: expect.any(Number) },
        privateReply: { outcome: 'SENT' },
      },
    ]);
  });

  test('counts the ratings of both conversations for the agent and template that answered', async () => {
    const account = await world.account();
    const promptTemplateId = await world.template();
    const agent = await world.agent({ promptTemplateId });
    await world.campaign(account, { promptTemplateId });
    await world.say(account, { type: 'comment', text: 'What is the price?', from: newCustomer() });
    await world.workOff();
    const { organizationId, token } = world.owner;
    const conversations = await world.conversations(account);
    for (const { id: conversation_id } of conversations) {
      const params = { organization_id: organizationId, conversation_id };
      await call(rateConversation, { params, token, body: { rating: 4 } });
    }

    expect(conversations).toHaveLength(2);
    for (const [of, id] of [
      ['AGENT', agent.id],
      ['TEMPLATE', promptTemplateId],
    ] as const) {
      const [counts] = await readAnswerCounts(organizationId, of, [id]);
      expect(counts).toMatchObject({ ratings: 2, ratingSum: 8 });
    }
  });

  test('voids the planned answers to the one before, in public and in private', async () => {
    const account = await world.account();
    await world.campaign(account);
    const from = newCustomer();
    await world.say(account, { type: 'comment', text: 'The price?', from });
    await drainWork('inbound-events');
    await drainWork('reply-planning');
    await world.say(account, { type: 'comment', text: 'And the price of two?', from });
    await world.workOff();

    expect(await world.replies(account)).toHaveLength(2);
  });
});

describe("a customer's response to a private answer", () => {
  test('is answered by the same campaign and linked to the same lead', async () => {
    const { organizationId, token } = world.owner;
    const account = await world.account();
    const campaign = await world.campaign(account);
    const from = newCustomer();
    await world.say(account, { type: 'comment', text: 'What is the price?', from });
    await world.workOff();

    await world.say(account, { type: 'message', text: 'Yes please, tell me more', from });
    await world.workOff();

    const [lead, ...others] = await world.leads();
    expect(others).toEqual([]);
    const [inPrivate] = await world.conversations(account);
    expect(inPrivate).toMatchObject({
      channel: 'DIRECT_MESSAGE',
      campaignId: campaign.id,
      leadId: lead.id,
      contactId: lead.contactId,
      messages: [{ author: 'BOT' }, { author: 'CUSTOMER' }, { author: 'BOT', status: 'SENT' }],
    });
    const params = { organization_id: organizationId, lead_id: lead.id };
    const { activities } = (await call(getLead, { params, token })).body.lead;
    expect(activities).toContainEqual(
      expect.objectContaining({
        type: 'MESSAGE_RECEIVED',
        description: 'Yes please, tell me more',
      }),
    );
  });
});

describe("a person's answer", () => {
  /**
   * Creates a customer whom a campaign has answered, and the actions that a person can take next.
   */
  async function answeredCustomer(campaignBody: Parameters<ReplySetup['campaign']>[1] = {}) {
    const { organizationId, token } = world.owner;
    const account = await world.account();
    const campaign = await world.campaign(account, campaignBody);
    await world.say(account, { type: 'message', text: 'The price?', from: newCustomer() });
    await world.workOff();
    const [conversation] = await world.conversations(account);
    const [lead] = await world.leads();
    const ask = (contract: Contract, body?: object) =>
      call(contract, {
        params: {
          organization_id: organizationId,
          conversation_id: conversation.id,
          lead_id: lead.id,
          campaign_id: campaign.id,
        },
        token,
        ...(body ? { body } : {}),
      });

    return { campaign, ask };
  }

  test('is linked to the lead, counted by the campaign, and reported once to its webhook', async () => {
    const receiver = randomUUID();
    const { ask } = await answeredCustomer({ webhookUrl: receiverUrl(receiver) });

    const answer = await ask(replyToConversation, { message: 'I am Ada' });

    expect([answer.status, answer.body.reply.status]).toEqual([200, 'SENT']);
    const { activities } = (await ask(getLead)).body.lead;
    expect(
      activities.filter(({ description }: { description: string }) => description === 'I am Ada'),
    ).toMatchObject([{ type: 'MESSAGE_SENT', metadata: { author: 'HUMAN' } }]);
    expect((await ask(getCampaign)).body.campaign.totalInteractions).toBe(3);
    await drainWork('outbound-webhooks');
    const told = (await receivedEvents(receiver)).filter(({ type }) => type === 'message.sent');
    expect(told.map(({ data }) => data.author).toSorted()).toEqual(['BOT', 'HUMAN']);
  });

  test('is sent even when the lead and the campaign no longer exist', async () => {
    const { campaign, ask } = await answeredCustomer();
    expect([(await ask(deleteLead)).status, (await ask(deleteCampaign)).status]).toEqual([
      200, 200,
    ]);

    const answer = await ask(replyToConversation, { message: 'I am Ada' });

    expect([answer.status, answer.body.reply.status]).toEqual([200, 'SENT']);
    const { pk, sk } = keys.answerCounts(world.owner.organizationId, 'CAMPAIGN', campaign.id);
    expect((await storedItems(pk)).map((item) => item.sk)).not.toContain(sk);
  });
});

describe('a customer whose lead was deleted', () => {
  test('becomes a lead again with the next keyword, and not before', async () => {
    const { organizationId, token } = world.owner;
    const account = await world.account();
    await world.campaign(account);
    const from = newCustomer();
    await world.say(account, { type: 'message', text: 'What is the price?', from });
    await world.workOff();
    const [first] = await world.leads();
    const params = { organization_id: organizationId, lead_id: first.id };
    expect((await call(deleteLead, { params, token })).status).toBe(200);

    await world.say(account, { type: 'message', text: 'Hello?', from });
    await world.workOff();
    expect(await world.leads()).toEqual([]);
    await world.say(account, { type: 'message', text: 'The price, please', from });
    await world.workOff();

    const [again, ...others] = await world.leads();
    expect([again.id === first.id, others]).toEqual([false, []]);
    const [conversation] = await world.conversations(account);
    expect(conversation.leadId).toBe(again.id);
    expect((await world.trace(conversation.id)).map(({ isNewLead }) => isNewLead)).toContain(true);
  });
});

describe('a comment under a post of ours', () => {
  test('creates a lead that counts toward the post’s metrics with its value', async () => {
    const { organizationId, token } = world.owner;
    const account = await world.account();
    await world.campaign(account);
    const inPath = { organization_id: organizationId };
    const body = { socialAccountId: account.id, platform: account.platform, content: 'Engines' };
    const published = await call(createContentPost, { params: inPath, body, token });
    const { id: postId, platformPostId } = published.body.contentPost;
    const from = newCustomer();

    await world.say(account, { type: 'comment', text: 'Hello', from, postId: 'of-another-time' });
    await world.say(account, { type: 'comment', text: 'The price?', from, postId: platformPostId });
    await world.say(account, { type: 'comment', text: 'Hello', from: newCustomer() });
    await world.workOff();
    const [lead, ...others] = await world.leads();
    const won = await call(updateLead, {
      params: { ...inPath, lead_id: lead.id },
      body: { status: 'CONVERTED', value: 500 },
      token,
    });

    expect([won.status, others]).toEqual([200, []]);
    const params = { ...inPath, post_id: postId };
    const { performance } = (await call(getContentPerformance, { params, token })).body;
    expect(performance.attribution).toEqual({ leadsGenerated: 1, conversions: 1, revenue: 500 });
  });
});

describe('a message', () => {
  test('reports missing template values on the conversation until an answer has them all', async () => {
    const { organizationId, token } = world.owner;
    const account = await world.account();
    const promptTemplateId = await world.template({
      templateContent: 'Offer {{discount}}.',
      inputVariables: ['discount'],
    });
    const agent = await world.agent({ promptTemplateId });
    const from = newCustomer();
    const answered = async () => {
      await world.say(account, { type: 'message', text: 'Good morning', from });
      await world.workOff();

      return (await world.conversations(account))[0].missingVariables;
    };

    expect(await answered()).toEqual(['discount']);
    const params = { organization_id: organizationId, agent_id: agent.id };
    await call(updateAgent, { params, token, body: { variables: { discount: '5 %' } } });
    expect(await answered()).toEqual([]);
  });

  test('without a keyword is answered by the agent without a campaign and creates no lead', async () => {
    const account = await world.account();
    await world.campaign(account);
    const agent = await world.agent();

    await world.say(account, { type: 'message', text: 'Good morning', from: newCustomer() });
    await world.workOff();

    expect(await world.replies(account)).toMatchObject([{ kind: 'message' }]);
    expect(await world.leads()).toEqual([]);
    const [conversation] = await world.conversations(account);
    expect(await world.trace(conversation.id)).toMatchObject([
      { matched: null, reply: { outcome: 'SENT', agentId: agent.id } },
    ]);
  });

  test('without a keyword is answered by the campaign of the last keyword while it is active', async () => {
    const account = await world.account();
    const agent = await world.agent();
    const { id: first } = await world.campaign(account);
    const keywords = [{ keyword: 'repair', matchType: 'CONTAINS', priority: 1 }];
    const { id: second } = await world.campaign(account, { keywords });
    const from = newCustomer();
    const responders: unknown[] = [];
    const say = async (text: string) => {
      await world.say(account, { type: 'message', text, from });
      await world.workOff();
      const [conversation] = await world.conversations(account);
      const [{ reply }] = await world.trace(conversation.id);
      responders.push([reply.outcome, reply.campaignId, reply.agentId]);
    };
    const { organizationId, token } = world.owner;
    const params = { organization_id: organizationId, campaign_id: second };

    await say('What is the price?');
    await say('Good morning');
    await say('What is a repair?');
    await say('Good evening');
    await call(updateCampaign, { params, token, body: { status: 'PAUSED' } });
    await say('Good night');

    expect(responders).toEqual([
      ['SENT', first, null],
      ['SENT', first, null],
      ['SENT', second, null],
      ['SENT', second, null],
      ['SENT', null, agent.id],
    ]);
  });

  test('is answered by nobody if its campaign has no agent for the channel', async () => {
    const account = await world.account();
    await world.agent();
    const promptTemplateId = await world.template();
    await world.campaign(account, { agentConfigs: [{ channel: 'COMMENT', promptTemplateId }] });
    const from = newCustomer();
    for (const text of ['What is the price?', 'Good morning']) {
      await world.say(account, { type: 'message', text, from });
      await world.workOff();
    }

    expect(await world.replies(account)).toEqual([]);
    expect(await world.conversations(account)).toMatchObject([{ unansweredReason: 'NO_AGENT' }]);
  });

  test('without an answer keeps its conversation', async () => {
    const account = await world.account();

    await world.say(account, { type: 'message', from: newCustomer() });
    await world.workOff();

    expect(await world.replies(account)).toEqual([]);
    const [conversation] = await world.conversations(account);
    expect(conversation).toMatchObject({ status: 'OPEN', stopReason: null });
    expect(await world.trace(conversation.id)).toMatchObject([{ reply: { outcome: 'NOBODY' } }]);
  });

  test('in a burst of five gets one answer based on all five', async () => {
    const account = await world.account();
    await world.agent();
    const from = newCustomer();
    for (const text of ['one', 'two', 'three', 'four', 'five']) {
      await world.say(account, { type: 'message', text: `number ${text}`, from });
    }

    await world.workOff();

    expect(await world.replies(account)).toHaveLength(1);
    const asked = await sandbox.requests({ service: 'openai' });
    const { messages } = JSON.parse(asked.at(-1)?.body ?? '{}');
    expect(messages.slice(1).map(({ content }: { content: string }) => content)).toEqual([
      'number one',
      'number two',
      'number three',
      'number four',
      'number five',
    ]);
    expect(await world.credits()).toEqual([99, 99]);
  });

  test('that asks for a person hands over the conversation and confirms it once', async () => {
    const account = await world.account();
    await world.agent();
    const from = newCustomer();
    await world.say(account, { type: 'message', text: 'I want a real human', from });
    await world.workOff();

    await world.say(account, { type: 'message', text: 'Are you there?', from });
    await world.workOff();

    expect(await world.replies(account)).toHaveLength(1);
    const [conversation] = await world.conversations(account);
    expect(conversation).toMatchObject({
      controller: 'HUMAN',
      status: 'PAUSED',
      stopReason: 'HUMAN_TAKEOVER',
    });
    expect(await world.trace(conversation.id)).toMatchObject([
      { reply: { outcome: 'STOPPED', stopReason: 'HUMAN_TAKEOVER' } },
      { reply: { outcome: 'HANDED_OVER' } },
    ]);
  });

  test('that needs no answer gets none and costs nothing', async () => {
    const account = await world.account();
    await world.agent();

    await world.say(account, { type: 'message', text: '!!!', from: newCustomer() });
    await world.workOff();

    expect(await world.replies(account)).toEqual([]);
    expect(await world.credits()).toEqual([100, 100]);
    const [conversation] = await world.conversations(account);
    expect(await world.trace(conversation.id)).toMatchObject([{ reply: { outcome: 'IGNORED' } }]);
  });
});

test('the agent sends a delayed answer with another template of its agent when the planned one is gone', async () => {
  const { organizationId, token } = world.owner;
  const params = { organization_id: organizationId };
  const variant = async (name: string, weight: number): Promise<string> => {
    const body = {
      name,
      businessInfo: { companyName: `Engines of ${name}` },
      abTestVariant: { variant: name, testId: 'greeting', weight },
    };

    return (await call(createInteractiveTemplate, { params, token, body })).body.interactiveTemplate
      .id;
  };
  const [account, kept] = await Promise.all([world.account(), variant('Ada', 0)]);
  const chosen = await variant('Babbage', 1);
  await world.agent({ promptTemplateId: kept, channels: ['DIRECT_MESSAGE'] });
  await world.say(account, { type: 'message', text: 'Hello?', from: newCustomer() });
  await drainWork('inbound-events');
  await drainWork('reply-planning');
  const [conversation] = await world.conversations(account);
  expect(await world.trace(conversation.id)).toMatchObject([{ reply: { templateId: chosen } }]);

  const gone = { ...params, template_id: chosen };
  expect((await call(deleteInteractiveTemplate, { params: gone, token })).status).toBe(200);
  await drainWork('replies');

  expect(await world.replies(account)).toMatchObject([
    { text: expect.stringContaining('Engines of Ada') },
  ]);
  expect(await world.trace(conversation.id)).toMatchObject([
    { reply: { outcome: 'SENT', templateId: kept } },
  ]);
  const used = await call(getInteractiveTemplate, {
    params: { ...params, template_id: kept },
    token,
  });
  expect(used.body.interactiveTemplate.usageCount).toBe(1);
});

describe('an answered conversation', () => {
  test('counts its rating for who answered, and not for an agent whose reply was stopped', async () => {
    const account = await world.account();
    const [promptTemplateId, other] = [await world.template(), await world.template()];
    const agentConfigs = [{ channel: 'DIRECT_MESSAGE', promptTemplateId }];
    await world.agent({ promptTemplateId: other, maxResponsesPerConversation: 1 });
    await world.campaign(account, { promptTemplateId, agentConfigs });
    await world.campaign(account, {
      keywords: [{ keyword: 'repair', matchType: 'CONTAINS', priority: 1 }],
      agentConfigs: [{ channel: 'DIRECT_MESSAGE', promptTemplateId: other }],
    });
    const from = newCustomer();
    for (const text of ['What is the price?', 'And a repair?']) {
      await world.say(account, { type: 'message', text, from });
      await world.workOff();
    }
    const { organizationId, token } = world.owner;
    const [{ id: conversation_id, stopReason }] = await world.conversations(account);
    const params = { organization_id: organizationId, conversation_id };
    await call(rateConversation, { params, token, body: { rating: 4 } });
    const ids = [promptTemplateId, other];
    const counts = await readAnswerCounts(organizationId, 'TEMPLATE', ids);

    expect(stopReason).toBe('MAX_RESPONSES');
    expect(counts.map(({ ratings = 0 }) => ratings)).toEqual([1, 0]);
  });

  test('counts its rating and conversion once per agent and variant, and reports them to the webhook', async () => {
    const { organizationId, token } = world.owner;
    const inPath = { organization_id: organizationId };
    const ask = async (contract: Contract, params: object = {}, body?: object) => {
      const answer = await call(contract, {
        params: { ...inPath, ...params },
        token,
        ...(body ? { body } : {}),
      });
      expect([200, 201]).toContain(answer.status);

      return answer.body;
    };
    const account = await world.account();
    const promptTemplateId = (
      await ask(
        createInteractiveTemplate,
        {},
        {
          name: randomUUID(),
          templateContent: 'Be kind.',
          abTestVariant: { variant: 'A', testId: 'greeting', weight: 1 },
        },
      )
    ).interactiveTemplate.id;
    await world.agent({ promptTemplateId });
    const receiver = randomUUID();
    const campaign = await world.campaign(account, {
      promptTemplateId,
      agentConfigs: [{ channel: 'DIRECT_MESSAGE', promptTemplateId }],
      webhookUrl: receiverUrl(receiver),
    });
    await world.say(account, { type: 'message', text: 'The price?', from: newCustomer() });
    await world.workOff();
    const [lead] = await world.leads();
    const [conversation] = await world.conversations(account);
    const ofLead = { lead_id: lead.id };
    const ofConversation = { conversation_id: conversation.id };
    const stage = (name: string) =>
      lead.pipeline.stages.find((known: { name: string }) => known.name === name).id;
    const counts = async () => {
      const { interactiveTemplate } = await ask(getInteractiveTemplate, {
        template_id: promptTemplateId,
      });
      const { conversionRate, satisfactionScore } = interactiveTemplate.performance;
      const [listed] = (await ask(listAgents)).aiAgents;
      const ofCampaign = (await ask(getCampaign, { campaign_id: campaign.id })).campaign;

      return [
        conversionRate,
        ofCampaign.conversionRate,
        satisfactionScore,
        listed.satisfactionScore,
      ];
    };

    await ask(updateLead, ofLead, { value: 500 });
    await Promise.all(
      Array.from({ length: 3 }, () => ask(updateLead, ofLead, { status: 'CONVERTED' })),
    );
    await ask(rateConversation, ofConversation, { rating: 2 });
    expect(await counts()).toEqual([100, 100, 2, 2]);
    await ask(moveLeadStage, ofLead, { stageId: stage('Qualified') });
    await Promise.all([3, 5, 4].map((rating) => ask(rateConversation, ofConversation, { rating })));
    await ask(rateConversation, ofConversation, { rating: 4 });
    expect(await counts()).toEqual([0, 0, 4, 4]);
    await ask(moveLeadStage, ofLead, { stageId: stage('Converted') });
    expect(await counts()).toEqual([100, 100, 4, 4]);
    const { pipeline } = await ask(createPipeline, {}, { name: 'Repairs' });
    await ask(
      convertConversation,
      {},
      {
        conversationId: conversation.id,
        pipelineId: pipeline.id,
        source: 'chat',
      },
    );
    await ask(deleteLead, ofLead);
    expect(await counts()).toEqual([0, 0, 4, 4]);

    await drainWork('outbound-webhooks');
    const told = await receivedEvents(receiver);
    expect(told.map(({ type }) => type).toSorted()).toEqual([
      'credits.low',
      'lead.converted',
      'lead.converted',
      'lead.created',
      'lead.created',
      'lead.updated',
      'lead.updated',
      'lead.updated',
      'lead.updated',
      'message.received',
      'message.sent',
    ]);
    // The events arrive in any order.
    const ofType = (wanted: string) =>
      told
        .filter(({ type }) => type === wanted)
        .map(({ data }) => data)
        .toSorted((one, other) => (one.lead.updatedAt < other.lead.updatedAt ? -1 : 1));
    expect(ofType('lead.converted').map((data) => data.lead)).toMatchObject([
      { id: lead.id, status: 'CONVERTED', converted: true, value: 500 },
      { id: lead.id, stageId: stage('Converted') },
    ]);
    expect(ofType('lead.updated').map(({ changedFields }) => changedFields)).toEqual([
      ['value'],
      ['status', 'convertedAt'],
      ['stageId', 'status', 'convertedAt'],
      ['stageId', 'status', 'convertedAt'],
    ]);
  });
});
