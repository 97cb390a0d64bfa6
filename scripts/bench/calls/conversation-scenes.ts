import { randomUUID } from 'node:crypto';
import { requestDataDeletion } from '#lib/features/data-deletion/request-data-deletion.ts';
import { subscribeToAccount } from '#lib/features/social/accounts/account-webhook.ts';
import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { listConversations } from '#lib/features/social/conversations/list-conversations.ts';
import { handleInboundEvent } from '#lib/features/social/intake/handle-inbound-event.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { change, discard, nothingElse, write } from '#lib/platform/db/write.ts';
import { newId } from '#lib/platform/ids.ts';
import { planWork } from '#lib/platform/work/outbox.ts';
import { createAgent, createPromptTemplate } from '#schemas/ai.ts';
import { createCampaign } from '#schemas/campaigns.ts';
import type { Contract } from '#schemas/contract.ts';
import * as conversations from '#schemas/conversations.ts';
import { listPipelines } from '#schemas/leads.ts';
import * as webhooks from '#schemas/social-webhooks.ts';
import { type Call, lambdaContext } from './gateway-event.ts';
import { callOf, type Scene } from './scene.ts';
import { addSocialAccount } from './social-scenes.ts';
import { type Account, loadHandler, type World } from './world.ts';

const handshake = { 'hub.mode': 'subscribe', 'hub.challenge': '1158201444' };

/** The webhook call that Facebook sends when a customer writes to a page. */
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

/** The form that Instagram signs for a person. */
async function signedRequest(world: World, personId: string) {
  const request = { personId, kind: 'data-deletion', deliver: false } as const;

  return (await world.sandbox.network('INSTAGRAM').sendSignedRequest(request)).delivery;
}

/** Records a customer's message to an account. */
async function recordMessage(
  world: World,
  organizationId: string,
  { id: accountId, platformUserId }: SocialAccount,
  customer: string,
): Promise<void> {
  const messageId = newId();
  const { body } = await newDelivery(world, platformUserId, customer);
  const { entry } = JSON.parse(body);
  const [{ sender, timestamp, message }] = entry[0].messaging;
  const event = {
    eventId: message.mid,
    platformUserId,
    type: 'message' as const,
    channel: 'DIRECT_MESSAGE' as const,
    to: undefined,
    from: { ...sender, name: 'Charles Babbage' },
    text: message.text,
    messageId: message.mid,
    isEcho: false,
    occurredAt: new Date(timestamp).toISOString(),
  };
  const inbound = { organizationId, accountId, platform: 'FACEBOOK' as const, messageId, event };
  await handleInboundEvent({
    key: { pk: '', sk: '' },
    payload: inbound,
    remainingMs: () => 30_000,
  });
}

/** A conversation with ten messages from a customer. */
async function addConversation(world: World, organizationId: string): Promise<string> {
  const account = await addSocialAccount(world, organizationId);
  const customer = randomUUID();
  for (let written = 0; written < 10; written += 1) {
    await recordMessage(world, organizationId, account, customer);
  }
  const found = await listConversations(organizationId, { sort: 'created', limit: 1 });

  return found.items[0]?.id ?? '';
}

/** A customer's comment at Facebook, in the given state. */
async function addComment(world: World, organizationId: string, state: object = {}) {
  const { id: accountId, platformUserId } = await addSocialAccount(world, organizationId);
  const messageId = newId();
  const from = { id: randomUUID(), name: 'Charles Babbage' };
  const text = 'What does an engine cost?';
  const said = { userId: platformUserId, type: 'comment', text, from, deliveries: 0 } as const;
  const { eventId } = await world.sandbox.network('FACEBOOK').sendEvent(said);
  const event = {
    eventId,
    platformUserId,
    type: 'comment' as const,
    channel: 'COMMENT' as const,
    to: undefined,
    from,
    text,
    messageId: eventId,
    isEcho: false,
    occurredAt: timestamp(),
  };
  await handleInboundEvent({
    key: { pk: '', sk: '' },
    payload: { organizationId, accountId, platform: 'FACEBOOK', messageId, event },
    remainingMs: () => 30_000,
  });
  const found = await listConversations(organizationId, { sort: 'created', limit: 1 });
  const conversationId = found.items[0]?.id ?? '';
  const key = keys.conversationMessage(organizationId, conversationId, messageId);
  await write(change(key, { set: { text, ...state } }));

  return { conversation_id: conversationId, message_id: messageId };
}

function aboutComment(contract: Contract, state: object = {}): Scene {
  return callOf(contract, async (world) => {
    const { token, organizationId } = await world.newAccount();
    const params = await addComment(world, organizationId, state);

    return { token, params: { organization_id: organizationId, ...params } };
  });
}

/** An agent, and a campaign that replies with the same template to its keyword. */
async function addCampaign(
  world: World,
  { token, organizationId }: Account,
  account: SocialAccount,
) {
  const params = { organization_id: organizationId };
  const { promptTemplate } = await world.call(createPromptTemplate, {
    token,
    params,
    body: { name: 'Sales', templateContent: 'You answer for {{companyName}}.' },
  });
  const promptTemplateId = promptTemplate.id;
  await world.call(createAgent, {
    token,
    params,
    body: { name: 'Engine expert', promptTemplateId, channels: ['DIRECT_MESSAGE'] },
  });
  const { pipelines } = await world.call(listPipelines, { token, params });
  await world.call(createCampaign, {
    token,
    params,
    body: {
      name: 'Spring sale',
      pipelineId: pipelines[0].id,
      platform: 'FACEBOOK',
      socialAccountIds: [account.id],
      keywords: [{ keyword: 'engine', matchType: 'CONTAINS', priority: 1 }],
      agentConfigs: [{ channel: 'DIRECT_MESSAGE', promptTemplateId }],
    },
  });
}

/** The next message of a customer who gets replies from an agent and already has a lead. */
async function unplannedMessage(world: World) {
  process.env.REPLY_QUIET_SECONDS = '0';
  const owner = await world.newAccount();
  const account = await addSocialAccount(world, owner.organizationId);
  await addCampaign(world, owner, account);
  const customer = randomUUID();
  for (let written = 0; written < 9; written += 1) {
    await recordMessage(world, owner.organizationId, account, customer);
  }
  await world.queues.drain();
  await recordMessage(world, owner.organizationId, account, customer);

  return world.queues.takeEvent('reply-planning');
}

function aboutConversation(contract: Contract, call: Call = {}): Scene {
  return callOf(contract, async (world) => {
    const { token, organizationId } = await world.newAccount();
    const conversationId = await addConversation(world, organizationId);
    const params = { organization_id: organizationId, conversation_id: conversationId };

    return { ...call, token, params };
  });
}

/** An account with its own webhook subscription. */
async function subscribed(world: World) {
  const { organizationId, userId } = await world.newAccount();
  const { id, platformUserId } = await addSocialAccount(world, organizationId);
  await subscribeToAccount(organizationId, userId, id, { verifyToken: 'open sesame' }, nothingElse);

  return { params: { account_id: id }, platformUserId };
}

export const conversationScenes: Readonly<Record<string, Scene>> = {
  'list-conversations': aboutConversation(conversations.listConversations),
  'get-conversation': aboutConversation(conversations.getConversation),
  'list-messages': aboutConversation(conversations.listMessages),
  'reply-to-conversation': aboutConversation(conversations.replyToConversation, {
    body: { message: 'Ten pounds each.' },
  }),
  'hide-comment': aboutComment(conversations.hideComment),
  'unhide-comment': aboutComment(conversations.unhideComment, { isHidden: true }),
  'like-comment': aboutComment(conversations.likeComment),
  'unlike-comment': aboutComment(conversations.unlikeComment, { isLiked: true }),
  'delete-comment': aboutComment(conversations.deleteComment),
  'pause-conversation': aboutConversation(conversations.pauseConversation),
  'resume-conversation': aboutConversation(conversations.resumeConversation),
  'read-conversation': aboutConversation(conversations.readConversation),
  'assign-conversation': callOf(conversations.assignConversation, async (world) => {
    const { token, organizationId, userId } = await world.newAccount();
    const conversationId = await addConversation(world, organizationId);

    return {
      token,
      params: { organization_id: organizationId, conversation_id: conversationId },
      body: { userId },
    };
  }),
  'assignment-removal': async (world) => {
    const { token, organizationId, userId } = await world.newAccount();
    const conversationId = await addConversation(world, organizationId);
    await world.call(conversations.assignConversation, {
      token,
      params: { organization_id: organizationId, conversation_id: conversationId },
      body: { userId },
    });
    const work = planWork('assignmentRemoval', {
      owner: keys.organization(organizationId),
      payload: { organizationId, userId, endedAt: timestamp() },
    });
    await write(discard(keys.member(organizationId, userId)));
    await world.queues.drain();
    await write(work);

    return world.queues.takeEvent('assignment-removal');
  },
  'create-note': aboutConversation(conversations.createNote, { body: { text: 'Call back.' } }),
  'list-notes': aboutConversation(conversations.listNotes),
  'delete-note': callOf(conversations.deleteNote, async (world) => {
    const { token, organizationId } = await world.newAccount();
    const conversationId = await addConversation(world, organizationId);
    const params = { organization_id: organizationId, conversation_id: conversationId };
    const body = { text: 'Call back.' };
    const { note } = await world.call(conversations.createNote, { token, params, body });

    return { token, params: { ...params, note_id: note.id } };
  }),
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
  'receive-deauthorization': callOf(webhooks.receiveDeauthorization, async (world) => {
    const { organizationId } = await world.newAccount();
    const { platformUserId } = await addSocialAccount(world, organizationId, 'INSTAGRAM');

    return { params: { platform: 'instagram' }, ...(await signedRequest(world, platformUserId)) };
  }),
  'receive-data-deletion': callOf(webhooks.receiveDataDeletion, async (world) => ({
    params: { platform: 'instagram' },
    ...(await signedRequest(world, randomUUID())),
  })),
  'get-data-deletion-page': callOf(webhooks.getDataDeletionPage, async (world) => {
    const { body } = await signedRequest(world, randomUUID());
    const requested = await requestDataDeletion('INSTAGRAM', Buffer.from(body));

    return { params: { code: requested.confirmation_code } };
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
  'lead-ads': async (world) => {
    const { organizationId } = await world.newAccount();
    const { platformUserId: userId } = await addSocialAccount(world, organizationId);
    await world.queues.drain();
    const { delivery } = await world.sandbox.network('FACEBOOK').submitLeadAd({
      userId,
      fields: { email: `${randomUUID()}@example.com`, full_name: 'Charles Babbage' },
      deliveries: 0,
    });
    await world.call(webhooks.receiveNetworkEvents, {
      params: { platform: 'facebook' },
      headers: delivery?.headers ?? {},
      body: delivery?.body ?? '',
    });

    return world.queues.takeEvent('lead-ads');
  },
  'can-reply-to-conversation': aboutConversation(conversations.canReplyToConversation),
  'trace-conversation': aboutConversation(conversations.traceConversation),
  'reply-planning': unplannedMessage,
  replies: async (world) => {
    const planned = await unplannedMessage(world);
    const plan = await loadHandler('workers', 'reply-planning');
    await plan(planned, lambdaContext());

    return world.queues.takeEvent('replies');
  },
  'customer-profiles': async (world) => {
    const { organizationId } = await world.newAccount();
    const conversationId = await addConversation(world, organizationId);
    const owner = keys.conversation(organizationId, conversationId);
    const customer = randomUUID();
    await write(change(owner, { set: { customer: { id: customer, name: customer } } }));
    await world.queues.drain();
    await write(
      planWork('customerProfile', { owner, payload: { organizationId, conversationId } }),
    );

    return world.queues.takeEvent('customer-profiles');
  },
  // Removes the files of a message that was withdrawn.
  attachments: async (world) => {
    const { organizationId } = await world.newAccount();
    const conversationId = await addConversation(world, organizationId);
    const owner = keys.conversation(organizationId, conversationId);
    const payload = { organizationId, conversationId, messageId: newId() };
    await world.queues.drain();
    await write(planWork('attachments', { owner, payload }));

    return world.queues.takeEvent('attachments');
  },
  'message-outcome': async (world) => {
    const { organizationId } = await world.newAccount();
    const conversationId = await addConversation(world, organizationId);
    const payload = { organizationId, conversationId, messageId: newId() };
    const owner = keys.conversation(organizationId, conversationId);
    const work = planWork('messageOutcome', { owner, payload });
    await world.queues.drain();
    await write(work);

    return world.queues.takeEvent('message-outcome');
  },
  // Nothing is due, as in most runs.
  'comments-poll': async () => ({}),
  'conversation-closing': async () => ({}),
  retention: async () => ({}),
};
