import { randomUUID } from 'node:crypto';
import { keys } from '#lib/db/keys.ts';
import { write } from '#lib/db/write.ts';
import { newId } from '#lib/ids.ts';
import { planReply } from '#lib/replies/plan-reply.ts';
import type { PlanningWork } from '#lib/replies/reply-work.ts';
import { subscribeToAccount } from '#lib/social/account-webhook.ts';
import { requireConversation } from '#lib/social/conversations/conversations.ts';
import { listConversations } from '#lib/social/conversations/list-conversations.ts';
import { handleInboundEvent } from '#lib/social/intake/handle-inbound-event.ts';
import { planWork } from '#lib/work/outbox.ts';
import { createAgent, createPromptTemplate } from '#schemas/ai.ts';
import type { Contract } from '#schemas/contract.ts';
import * as conversations from '#schemas/conversations.ts';
import * as webhooks from '#schemas/social-webhooks.ts';
import type { Call } from './gateway-event.ts';
import { callOf, type Scene } from './scene.ts';
import { addSocialAccount } from './social-scenes.ts';
import type { World } from './world.ts';

const handshake = { 'hub.mode': 'subscribe', 'hub.challenge': '1158201444' };

/** What Facebook sends when a customer writes to a page. */
async function newDelivery(world: World, userId: string, customer: string = randomUUID()) {
  const { delivery } = await world.sandbox.network('FACEBOOK').sendEvent({
    userId,
    type: 'message',
    text: 'What does an engine cost?',
    from: { id: customer, name: 'Charles Babbage' },
    deliveries: 0,
  });

  return { headers: delivery?.headers ?? {}, body: delivery?.body ?? '' };
}

/** A conversation in which a customer has written ten messages. */
async function addConversation(world: World, organizationId: string): Promise<string> {
  const { id: accountId, platformUserId } = await addSocialAccount(world, organizationId);
  const customer = randomUUID();
  for (const messageId of Array.from({ length: 10 }, newId)) {
    const { body } = await newDelivery(world, platformUserId, customer);
    const { entry } = JSON.parse(body);
    const [{ sender, timestamp, message }] = entry[0].messaging;
    const event = {
      eventId: message.mid,
      platformUserId,
      type: 'message',
      channel: 'DIRECT_MESSAGE',
      from: { ...sender, name: 'Charles Babbage' },
      text: message.text,
      messageId: message.mid,
      isEcho: false,
      occurredAt: new Date(timestamp).toISOString(),
    };
    const inbound = { organizationId, accountId, platform: 'FACEBOOK', messageId, event };
    await handleInboundEvent({
      key: { pk: '', sk: '' },
      payload: JSON.stringify(inbound),
      remainingMs: () => 30_000,
    });
  }
  const found = await listConversations(organizationId, {}, { limit: 1 });

  return found.conversations[0]?.id ?? '';
}

/** The last of ten messages of a customer, in an organization that has an agent. */
async function unansweredMessage(world: World): Promise<PlanningWork> {
  process.env.REPLY_QUIET_SECONDS = '0';
  const { organizationId, token } = await world.newAccount();
  const params = { organization_id: organizationId };
  const template = { name: 'Sales', templateContent: 'You answer for {{companyName}}.' };
  const { promptTemplate } = await world.call(createPromptTemplate, {
    token,
    params,
    body: template,
  });
  const agent = {
    name: 'Engine expert',
    promptTemplateId: promptTemplate.id,
    channels: ['DIRECT_MESSAGE'],
  };
  await world.call(createAgent, { token, params, body: agent });
  const conversationId = await addConversation(world, organizationId);
  const { lastInboundMessageId = '' } = await requireConversation(organizationId, conversationId);
  await world.queues.drain();

  return { organizationId, conversationId, messageId: lastInboundMessageId };
}

function aboutConversation(contract: Contract, call: Call = {}): Scene {
  return callOf(contract, async (world) => {
    const { token, organizationId } = await world.newAccount();
    const conversationId = await addConversation(world, organizationId);
    const params = { organization_id: organizationId, conversation_id: conversationId };

    return { ...call, token, params };
  });
}

/** An account with a subscription of its own. */
async function subscribed(world: World) {
  const { organizationId, userId } = await world.newAccount();
  const { id, platformUserId } = await addSocialAccount(world, organizationId);
  await subscribeToAccount(organizationId, userId, id, { verifyToken: 'open sesame' });

  return { params: { account_id: id }, platformUserId };
}

export const conversationScenes: Readonly<Record<string, Scene>> = {
  'list-conversations': aboutConversation(conversations.listConversations),
  'get-conversation': aboutConversation(conversations.getConversation),
  'reply-to-conversation': aboutConversation(conversations.replyToConversation, {
    body: { message: 'Ten pounds each.' },
  }),
  'pause-conversation': aboutConversation(conversations.pauseConversation),
  'resume-conversation': aboutConversation(conversations.resumeConversation),
  'close-conversation': aboutConversation(conversations.closeConversation),
  'rate-conversation': aboutConversation(conversations.rateConversation, { body: { rating: 5 } }),
  'receive-network-events': callOf(webhooks.receiveNetworkEvents, async (world) => {
    const { organizationId } = await world.newAccount();
    const { platformUserId } = await addSocialAccount(world, organizationId);

    return { params: { platform: 'facebook' }, ...(await newDelivery(world, platformUserId)) };
  }),
  'receive-account-events': callOf(webhooks.receiveAccountEvents, async (world) => {
    const { params, platformUserId } = await subscribed(world);

    return { params, ...(await newDelivery(world, platformUserId)) };
  }),
  'answer-network-challenge': callOf(webhooks.answerNetworkChallenge, () => ({
    params: { platform: 'facebook' },
    query: { ...handshake, 'hub.verify_token': 'sandbox-facebook-verify' },
  })),
  'verify-account-webhook': callOf(webhooks.verifyAccountWebhook, async (world) => ({
    params: (await subscribed(world)).params,
    query: { ...handshake, 'hub.verify_token': 'open sesame' },
  })),
  'inbound-events': async (world) => {
    const { organizationId } = await world.newAccount();
    const { platformUserId } = await addSocialAccount(world, organizationId);
    await world.queues.drain();
    await world.call(webhooks.receiveNetworkEvents, {
      params: { platform: 'facebook' },
      ...(await newDelivery(world, platformUserId)),
    });

    return world.queues.takeEvent('inbound-events');
  },
  'can-reply-to-conversation': aboutConversation(conversations.canReplyToConversation),
  'trace-conversation': aboutConversation(conversations.traceConversation),
  'reply-planning': async (world) => {
    const work = await unansweredMessage(world);
    const owner = keys.conversation(work.organizationId, work.conversationId);
    const planning = planWork('replyPlanning', { owner, payload: JSON.stringify(work) });
    await write(planning.write);
    await planning.dispatch();

    return world.queues.takeEvent('reply-planning');
  },
  replies: async (world) => {
    const payload = JSON.stringify(await unansweredMessage(world));
    await planReply({ key: { pk: '', sk: '' }, payload, remainingMs: () => 30_000 });

    return world.queues.takeEvent('replies');
  },
  'message-outcome': async (world) => {
    const { organizationId } = await world.newAccount();
    const conversationId = await addConversation(world, organizationId);
    const payload = JSON.stringify({ organizationId, conversationId, messageId: newId() });
    const owner = keys.conversation(organizationId, conversationId);
    const work = planWork('messageOutcome', { owner, payload });
    await world.queues.drain();
    await write(work.write);
    await work.dispatch();

    return world.queues.takeEvent('message-outcome');
  },
  // With nothing due, as in most of its runs.
  'comments-poll': async () => ({}),
};
