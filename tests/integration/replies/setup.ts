import { randomUUID } from 'node:crypto';
import type { Context, SQSEvent } from 'aws-lambda';
import type { Balance } from '#lib/features/billing/ledger/balance.ts';
import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { type Key, keys } from '#lib/platform/db/keys.ts';
import { get } from '#lib/platform/db/read.ts';
import { createAgent, createPromptTemplate } from '#schemas/ai.ts';
import { createCampaign } from '#schemas/campaigns.ts';
import type { Contract } from '#schemas/contract.ts';
import { traceConversation } from '#schemas/conversations.ts';
import { listLeads, listPipelines } from '#schemas/leads.ts';
import { signedEvent } from '#scripts/fixtures/network-events.ts';
import { connectedAccount } from '#scripts/fixtures/social-accounts.ts';
import type { Account } from '#tests/support/accounts.ts';
import { type Answer, call, lambdaContext } from '#tests/support/api.ts';
import { sandbox } from '#tests/support/mails.ts';
import { conversationsOf, deliver } from '#tests/support/network-events.ts';
import { storedItems } from '#tests/support/table.ts';
import { drainWork, sqsEvent } from '#tests/support/work.ts';

type Body = Readonly<Record<string, unknown>>;
type Said = NonNullable<Parameters<typeof signedEvent>[1]>;

/** Creates functions that act as an organization that answers customers, and as those customers. */
export function replySetup(owner: Account) {
  const { organizationId, token } = owner;
  const inPath = { organization_id: organizationId };

  async function make(contract: Contract, body: Body): Promise<Answer['body']> {
    const answer = await call(contract, { params: inPath, body, token });
    if (answer.status !== 201) {
      throw new Error(`${contract.operationId}: ${JSON.stringify(answer.body)}`);
    }

    return answer.body;
  }

  async function template(body: Body = {}): Promise<string> {
    const made = await make(createPromptTemplate, {
      name: randomUUID(),
      templateContent: 'Be kind to {{customerName}}.',
      businessInfo: { companyName: 'Analytical Engines' },
      ...body,
    });

    return made.promptTemplate.id;
  }

  async function agent(body: Body = {}): Promise<Answer['body']> {
    const promptTemplateId = body.promptTemplateId ?? (await template());
    const channels = ['COMMENT', 'DIRECT_MESSAGE'];

    return (await make(createAgent, { name: randomUUID(), channels, ...body, promptTemplateId }))
      .aiAgent;
  }

  async function campaign(account: SocialAccount, body: Body = {}): Promise<Answer['body']> {
    const { pipelines } = (await call(listPipelines, { params: inPath, token })).body;
    const promptTemplateId = body.promptTemplateId ?? (await template());
    const made = await make(createCampaign, {
      name: `campaign ${randomUUID()}`,
      pipelineId: pipelines[0].id,
      platform: account.platform,
      socialAccountIds: [account.id],
      keywords: [{ keyword: 'price', matchType: 'CONTAINS', priority: 1 }],
      agentConfigs: [
        { channel: 'COMMENT', promptTemplateId },
        { channel: 'DIRECT_MESSAGE', promptTemplateId },
      ],
      ...body,
    });

    return made.campaign;
  }

  return {
    owner,
    template,
    agent,
    campaign,
    account: (overrides: Partial<SocialAccount> = {}) =>
      connectedAccount(organizationId, overrides),

    /** Sends a customer's message, which the network delivers this many times. */
    async say(account: SocialAccount, said: Partial<Said>, times = 1): Promise<void> {
      const delivery = await signedEvent(account, said);
      for (let time = 0; time < times; time += 1) {
        const { status } = await deliver(account.platform, delivery);
        if (status !== 200) {
          throw new Error(`The delivery was answered with ${status}`);
        }
      }
    },

    async workOff(): Promise<void> {
      for (const worker of ['inbound-events', 'reply-planning', 'replies']) {
        await drainWork(worker);
      }
    },

    replies: ({ platform, platformUserId }: SocialAccount) =>
      sandbox.network(platform).replies(platformUserId),

    conversations: (account: SocialAccount) => conversationsOf(owner, account),

    async trace(conversationId: string): Promise<Answer['body'][]> {
      const params = { ...inPath, conversation_id: conversationId };

      return (await call(traceConversation, { params, token })).body.trace;
    },

    async leads(): Promise<Answer['body'][]> {
      return (await call(listLeads, { params: inPath, query: { limit: '100' }, token })).body.leads;
    },

    /** Returns the organization's credits, and how many of them are not reserved for an answer. */
    async credits(): Promise<readonly [number, number]> {
      const balance = await get<Balance>(keys.balance(organizationId));

      return [balance?.credits ?? 0, balance?.available ?? 0];
    },
  };
}

export type ReplySetup = ReturnType<typeof replySetup>;

export function newCustomer() {
  return { id: `customer-${randomUUID()}`, name: 'Charles Babbage' };
}

type Worker = (event: SQSEvent, context: Context) => Promise<unknown>;

/** Returns the keys of pending work of a kind, for one organization or all. */
export async function waitingWork(
  kind: 'reply' | 'replyPlanning' | 'messageOutcome' | 'customerProfile',
  organizationId = '',
): Promise<readonly Key[]> {
  const items = await storedItems(`ORG#${organizationId}`);

  return items
    .filter(({ sk }) => sk.startsWith(`OUTBOX#${kind}#`))
    .map(({ pk, sk }) => ({ pk, sk }));
}

/** Returns the event that a queue passes to the worker for one piece of work. */
export function deliveryOf(key: Key): SQSEvent {
  return sqsEvent([{ MessageId: randomUUID(), Body: JSON.stringify(key) }]);
}

/** Processes one piece of work now in this process, even if it is not due. */
export async function doWork(handler: Worker, key: Key): Promise<void> {
  await handler(deliveryOf(key), lambdaContext(60_000));
}
