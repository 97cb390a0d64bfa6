import { expect } from 'vitest';
import type { Conversation } from '#lib/features/conversations/conversation.ts';
import { takeEvents } from '#lib/features/intake/receive-events.ts';
import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import type { NormalisedEvent } from '#lib/vendors/networks/network.ts';
import * as ai from '#schemas/ai.ts';
import type { Contract } from '#schemas/contract.ts';
import {
  createNote,
  deleteComment,
  hideComment,
  likeComment,
  replyToConversation,
  unhideComment,
  unlikeComment,
} from '#schemas/conversations.ts';
import {
  createKnowledgeSource,
  getKnowledgeSource,
  listKnowledgeGaps,
  searchKnowledge,
} from '#schemas/knowledge.ts';
import type { Platform } from '#schemas/platforms.ts';
import { storeConversation } from '#scripts/fixtures/conversations.ts';
import { signedEvent } from '#scripts/fixtures/network-events.ts';
import { connectedAccount } from '#scripts/fixtures/social-accounts.ts';
import { type Account, newAccount } from '#tests/support/accounts.ts';
import { type Answer, askAs, type CallInput, call } from '#tests/support/api.ts';
import { sandbox } from '#tests/support/mails.ts';
import { conversationsOf, deliver } from '#tests/support/network-events.ts';
import { useProxy } from '#tests/support/proxy.ts';
import { storedKeysOf } from '#tests/support/stored-files.ts';
import { drainWork } from '#tests/support/work.ts';

export const hours = { start: '22:00', end: '06:00', timezone: 'Asia/Kolkata' };

/** Creates an organization with a prompt template for agents. */
export async function agentSetup() {
  const { owner, ask, newTemplate } = await templateSetup();
  const promptTemplateId = (await newTemplate()).id;

  function createAgent(body: object = {}): Promise<Answer> {
    return ask(ai.createAgent, {
      body: { name: crypto.randomUUID(), promptTemplateId, channels: ['COMMENT'], ...body },
    });
  }

  return { owner, ask, createAgent };
}

export const templateContent = 'You answer for {{companyName}}.';

/** Creates an organization and templates in it. */
export async function templateSetup() {
  const owner = await newAccount();
  const ask = askAs(owner);

  async function newTemplate(body: object = {}): Promise<Answer['body']> {
    const answer = await ask(ai.createPromptTemplate, {
      body: { name: crypto.randomUUID(), templateContent, ...body },
    });

    return answer.body.promptTemplate;
  }

  async function newVariant(body: object = {}): Promise<Answer['body']> {
    const answer = await ask(ai.createInteractiveTemplate, {
      body: { name: crypto.randomUUID(), templateContent, ...body },
    });

    return answer.body.interactiveTemplate;
  }

  return { owner, ask, newTemplate, newVariant };
}

export const testMessage = 'What does an engine cost?';

export type TemplateTestSetup = Awaited<ReturnType<typeof templateTestSetup>>;

/** Creates an organization whose templates and agents can be tested. */
export async function templateTestSetup() {
  const { owner, ask, newTemplate } = await templateSetup();

  async function newTemplateId(body: object = {}): Promise<string> {
    const template = await newTemplate({
      templateContent: 'Be kind to {{customerName}}.',
      businessInfo: { companyName: 'Analytical Engines' },
      ...body,
    });

    return template.id;
  }

  async function newAgentId(body: object = {}): Promise<string> {
    const promptTemplateId = await newTemplateId({
      templateContent: 'Be {{tone}} to {{customerName}}: {{discount}} off.',
      inputVariables: ['discount'],
      personalitySettings: { tone: 'friendly' },
    });
    const answer = await ask(ai.createAgent, {
      body: { name: crypto.randomUUID(), promptTemplateId, channels: ['COMMENT'], ...body },
    });

    return answer.body.aiAgent.id;
  }

  return { owner, ask, newTemplateId, newAgentId };
}

export type ConversationSetup = Awaited<ReturnType<typeof conversationSetup>>;

/** Creates an organization, unless one is given, and calls operations on its conversations. */
export async function conversationSetup(existing?: Account) {
  const owner = existing ?? (await newAccount());
  const ask = askAs(owner);

  /** Returns the result of an operation on a conversation. */
  async function outcomeOf(
    contract: Contract,
    { id }: Conversation,
    options: CallInput = {},
  ): Promise<Answer['body']> {
    const answer = await ask(contract, { params: { conversation_id: id }, ...options });
    expect(answer.status).toBe(200);

    return answer.body.conversation;
  }

  return { owner, ask, outcomeOf };
}

/** Creates a conversation with team notes. */
export async function noteSetup() {
  const world = await conversationSetup();
  const { id } = await storeConversation(world.owner.organizationId);
  const params = { conversation_id: id };

  return {
    ...world,
    params,
    add: (text: string, token = world.owner.token) =>
      world.ask(createNote, { params, body: { text }, token }),
  };
}

export type Said = Parameters<typeof signedEvent>[1];

export function sentBy({ platform, platformUserId }: SocialAccount) {
  return sandbox.network(platform).replies(platformUserId);
}

/** Delivers events from the network and processes them. */
export async function deliverEvents(
  { platform }: SocialAccount,
  ...events: readonly NormalisedEvent[]
) {
  await takeEvents(platform, events);
  await drainWork('inbound-events');
}

export const takenOver = { controller: 'HUMAN', status: 'PAUSED', stopReason: 'HUMAN_TAKEOVER' };

export type PersonReplySetup = Awaited<ReturnType<typeof personReplySetup>>;

/** Creates an organization whose customers write to its accounts, and a DynamoDB proxy. */
export async function personReplySetup() {
  const proxy = await useProxy();
  const ada = await newAccount();

  /** Creates a conversation with a customer's message to a new account. */
  async function startConversation(
    said: Said = { type: 'message' },
    overrides: Partial<SocialAccount> = {},
  ) {
    const account = await connectedAccount(ada.organizationId, overrides);
    const from = { id: `customer-${account.id}`, name: 'Charles Babbage' };
    const delivery = await signedEvent(account, { from, ...said });
    expect((await deliver(account.platform, delivery)).body.received).toBe(1);
    await drainWork('inbound-events');
    const [conversation] = await conversationsOf(ada, account);

    return { account, customer: from, conversation, eventId: delivery.eventId };
  }

  function replyCall(conversationId: string, message: string) {
    return {
      params: { organization_id: ada.organizationId, conversation_id: conversationId },
      body: { message },
      token: ada.token,
    };
  }

  function reply({ id }: { readonly id: string }, message = 'Ten pounds.'): Promise<Answer> {
    return call(replyToConversation, replyCall(id, message));
  }

  async function only(account: SocialAccount): Promise<Answer['body']> {
    const [conversation, ...others] = await conversationsOf(ada, account);
    expect(others).toEqual([]);

    return conversation;
  }

  return { proxy, ada, startConversation, replyCall, reply, only };
}

export const commentActions = {
  hide: hideComment,
  unhide: unhideComment,
  like: likeComment,
  unlike: unlikeComment,
  delete: deleteComment,
} as const;
export type CommentActionName = keyof typeof commentActions;

export type Commented = {
  readonly account: SocialAccount;
  readonly conversationId: string;
  readonly messageId: string;
  /** The comment's id at the network. */
  readonly commentId: string;
};

/** Creates an organization with customers' comments, and acts on them. */
export async function commentSetup() {
  const owner = await newAccount();

  async function comment(
    platform: Platform = 'FACEBOOK',
    said: Parameters<typeof signedEvent>[1] = {},
    overrides: Partial<SocialAccount> = {},
  ): Promise<Commented> {
    const account = await connectedAccount(owner.organizationId, { platform, ...overrides });
    const { id: postId } = await sandbox
      .network(platform)
      .makePost({ userId: account.platformUserId, text: 'New engines are here' });
    const delivery = await signedEvent(account, { postId, ...said });
    await deliver(platform, delivery);
    await drainWork('inbound-events');
    const [conversation] = await conversationsOf(owner, account);
    const [written] = await sandbox.network(platform).comments(account.platformUserId);

    return {
      account,
      conversationId: conversation.id,
      messageId: conversation.messages[0].id,
      commentId: written?.id ?? '',
    };
  }

  function callOf(
    { conversationId, messageId }: Pick<Commented, 'conversationId' | 'messageId'>,
    headers: CallInput['headers'] = {},
  ): CallInput {
    const params = {
      organization_id: owner.organizationId,
      conversation_id: conversationId,
      message_id: messageId,
    };

    return { params, token: owner.token, headers };
  }

  function act(
    action: CommentActionName,
    commented: Pick<Commented, 'conversationId' | 'messageId'>,
    headers: CallInput['headers'] = {},
  ): Promise<Answer> {
    return call(commentActions[action], callOf(commented, headers));
  }

  /** Returns the comment from the service and from the network. */
  async function state({ account, commentId }: Commented) {
    const [conversation] = await conversationsOf(owner, account);
    const comments = await sandbox.network(account.platform).comments(account.platformUserId);

    return {
      message: conversation.messages[0],
      messages: conversation.messages.length,
      atNetwork: comments.find(({ id }) => id === commentId),
    };
  }

  return { owner, comment, callOf, act, state };
}

/** Returns the calls to a network that change something. */
export async function changesAt(platform: Platform): Promise<readonly string[]> {
  const requests = await sandbox.requests({ service: platform.toLowerCase() });

  return requests
    .filter(({ method }) => method !== 'GET')
    .map(({ method, path }) => `${method} ${path}`);
}

type Body = Readonly<Record<string, unknown>>;

/** Creates an organization, unless one is given, and calls operations on its knowledge. */
export async function knowledgeSetup(existing?: Account) {
  const owner = existing ?? (await newAccount());
  const ask = askAs(owner);
  const { organizationId } = owner;

  async function create(body: Body): Promise<Answer['body']> {
    const answer = await ask(createKnowledgeSource, { body: { name: 'Hours', ...body } });
    expect(answer.status).toBe(201);

    return answer.body;
  }

  const read = () => drainWork('knowledge-reading');

  async function find(id: string) {
    return (await ask(getKnowledgeSource, { params: { source_id: id } })).body.source;
  }

  /** Creates a source and reads it. */
  async function add(body: Body) {
    const { source } = await create(body);
    await read();

    return find(source.id);
  }

  async function search(query: string, limit?: number) {
    return (await ask(searchKnowledge, { body: { query, ...(limit ? { limit } : {}) } })).body.hits;
  }

  async function gaps() {
    return (await ask(listKnowledgeGaps)).body.gaps;
  }

  /** Returns the keys of all stored files of the organization. */
  const storedKeys = () => storedKeysOf(organizationId, ['uploads', 'knowledge']);

  return { owner, organizationId, ask, create, read, find, add, search, gaps, storedKeys };
}

export type KnowledgeSetup = Awaited<ReturnType<typeof knowledgeSetup>>;
