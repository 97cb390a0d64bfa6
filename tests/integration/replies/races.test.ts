import { describe, expect, test } from 'vitest';
import { handler as repliesWorker } from '#functions/workers/replies.ts';
import { requireCampaign } from '#lib/features/campaigns/campaign.ts';
import type { Message } from '#lib/features/conversations/conversation.ts';
import {
  listLatestMessages,
  requireConversation,
} from '#lib/features/conversations/conversations.ts';
import { recordLead } from '#lib/features/replies/record-lead.ts';
import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { minuteMs, pause, setClock } from '#lib/platform/clock.ts';
import type { Key } from '#lib/platform/db/keys/key.ts';
import type { Contract } from '#schemas/contract.ts';
import { pauseConversation, replyToConversation } from '#schemas/conversations.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { depth } from '#tests/support/depth.ts';
import { runInProcess } from '#tests/support/doomed-call.ts';
import { runDueWork } from '#tests/support/due-work.ts';
import { sandbox } from '#tests/support/mails.ts';
import { useProxy } from '#tests/support/proxy.ts';
import { drainWork } from '#tests/support/work.ts';
import {
  deliveryOf,
  doWork,
  newCustomer,
  type ReplySetup,
  replySetup,
  waitingWork,
} from './setup.ts';

const proxy = await useProxy();

async function plan(): Promise<void> {
  await drainWork('inbound-events');
  await drainWork('reply-planning');
}

describe('a takeover or an opt-out during an answer', () => {
  const pairs = depth(6);
  // The worker needs about this long from its start to the network call.
  const spreadMs = 300;
  const takeoverText = 'I take over.';
  const followUpText = 'Do you have any questions?';

  type Scene = {
    readonly world: ReplySetup;
    readonly account: SocialAccount;
    readonly conversationId: string;
    readonly from: ReturnType<typeof newCustomer>;
  };
  type Act = (scene: Scene) => Promise<unknown>;

  const request =
    (contract: Contract, given: object = {}): Act =>
    ({ world: { owner }, conversationId: conversation_id }) =>
      call(contract, {
        params: { organization_id: owner.organizationId, conversation_id },
        token: owner.token,
        ...given,
      });
  const acts: Readonly<Record<string, Act>> = {
    'a person pauses': request(pauseConversation),
    'a person answers': request(replyToConversation, { body: { message: takeoverText } }),
    'the customer opts out': async ({ world, account, from }) => {
      await world.say(account, { type: 'message', text: 'STOP', from });
      await drainWork('inbound-events');
    },
  };
  const kinds = ['answer', 'follow-up'] as const;

  test.each(Object.keys(acts).flatMap((act) => kinds.map((kind) => [act, kind] as const)))(
    'once %s, no %s of the agent goes out',
    async (act, kind) => {
      const ada = await newAccount();
      const world = replySetup(ada);
      const account = await world.account();
      const promptTemplateId = await world.template();
      const followUp = { afterMinutes: 1, text: followUpText, unless: 'CLICKED' };
      await world.campaign(account, {
        agentConfigs: [{ channel: 'DIRECT_MESSAGE', promptTemplateId, followUp }],
      });
      const customers = Array.from({ length: pairs }, newCustomer);
      for (const from of customers) {
        await world.say(account, { type: 'message', text: 'What is the price?', from });
      }
      await plan();
      if (kind === 'follow-up') {
        await drainWork('replies');
        setClock(() => Date.now() + 2 * minuteMs);
      }
      const conversations = await world.conversations(account);
      const work = await waitingWork('reply', ada.organizationId);
      const sentBefore = (await world.replies(account)).length;
      const actedAt = new Map<string, number>();

      await sandbox.addFault({ service: 'facebook', method: 'POST', mode: 'slow', delayMs: 30 });
      for (const [index, key] of work.entries()) {
        const { id, customer } = conversations.find(({ id: known }) => key.pk.endsWith(known));
        const aheadMs = ((index - pairs / 2) * spreadMs) / pairs;
        const interrupt = async () => {
          await pause(Math.max(0, aheadMs));
          await acts[act]?.({
            world,
            account,
            conversationId: id,
            from: { id: customer.id, name: customer.name },
          });
          actedAt.set(customer.id, Date.now());
        };
        const answer = async () => {
          await pause(Math.max(0, -aheadMs));
          await doWork(repliesWorker, key);
        };
        await Promise.all([answer(), interrupt()]);
      }

      const sent = (await world.replies(account)).slice(sentBefore);
      const late = sent.filter(
        ({ to, at, text }) =>
          text !== takeoverText && Date.parse(String(at)) > (actedAt.get(String(to)) ?? 0),
      );
      expect(late).toEqual([]);
      expect(actedAt.size).toBe(pairs);
      const [credits, available] = await world.credits();
      expect(available).toBe(credits);
    },
    60_000 + pairs * 3_000,
  );
});

describe('a worker that crashes', () => {
  const question = { type: 'message', text: 'What is the price?' } as const;

  async function killWorkerAt(
    worker: string,
    key: Key,
    when: 'before' | 'after',
    operation: string,
    nth: number,
  ): Promise<void> {
    const run = await runInProcess(`workers/${worker}`, deliveryOf(key), proxy.endpoint);
    proxy.faults.add({ operation, nth, fault: { kind: 'kill', when, victim: run.kill } });
    expect(await run.answer).toBeUndefined();
    proxy.faults.clear();
  }

  async function startConversation() {
    const john = await newAccount();
    const its = replySetup(john);
    const account = await its.account();
    const promptTemplateId = await its.template();
    await its.agent({ promptTemplateId });
    await its.campaign(account, { promptTemplateId });
    await its.say(account, { ...question, from: newCustomer() });
    await drainWork('inbound-events');

    return { its, account, organizationId: john.organizationId };
  }

  /** Moves the clock past the sweeps that find the crashed worker's work. */
  async function recover(): Promise<void> {
    setClock(() => Date.now() + 3 * minuteMs);
    await runDueWork();
    setClock(() => Date.now() + 9 * minuteMs);
    await runDueWork();
    setClock();
  }

  test.each([
    ['before', 1],
    ['after', 1],
    ['after', 2],
  ] as const)(
    'at %s transaction %i of planning leaves one lead and one answer',
    async (when, nth) => {
      const { its, account, organizationId } = await startConversation();
      const [key] = await waitingWork('replyPlanning', organizationId);
      await killWorkerAt(
        'reply-planning',
        key ?? { pk: '', sk: '' },
        when,
        'TransactWriteItems',
        nth,
      );

      await recover();

      expect(await its.replies(account)).toHaveLength(1);
      expect(await its.leads()).toHaveLength(1);
      expect(await its.credits()).toEqual([99, 99]);
    },
  );

  // The first transaction claims the answer, the second marks it as being sent, and the third
  // stores the outcome.
  test.each([
    ['before', 'TransactWriteItems', 1, 'SENT', 1, 99],
    ['after', 'TransactWriteItems', 1, 'SENT', 1, 99],
    ['after', 'TransactWriteItems', 2, 'UNKNOWN', 0, 100],
    ['before', 'TransactWriteItems', 3, 'UNKNOWN', 1, 100],
    ['after', 'TransactWriteItems', 3, 'SENT', 1, 99],
    ['before', 'DeleteItem', 1, 'SENT', 1, 99],
  ] as const)(
    '%s %s %i of an answer leaves it %s, sent %i times',
    async (when, operation, nth, status, sent, credits) => {
      const { its, account, organizationId } = await startConversation();
      await drainWork('reply-planning');
      const [key] = await waitingWork('reply', organizationId);
      await killWorkerAt('replies', key ?? { pk: '', sk: '' }, when, operation, nth);

      await recover();

      const [conversation] = await its.conversations(account);
      expect(conversation.messages.at(-1)).toMatchObject({ author: 'BOT', status });
      expect(await its.replies(account)).toHaveLength(sent);
      expect(await its.credits()).toEqual([credits, credits]);
      expect(await its.leads()).toHaveLength(1);
      expect(await waitingWork('reply', organizationId)).toEqual([]);
    },
  );
});

describe('concurrent processing of the same work', () => {
  test('sends one answer for one credit', async () => {
    const john = await newAccount();
    const its = replySetup(john);
    const account = await its.account();
    await its.agent();
    await its.say(account, { type: 'message', text: 'Good morning', from: newCustomer() });
    await plan();
    const [key] = await waitingWork('reply', john.organizationId);

    await Promise.all(
      Array.from({ length: 20 }, () => doWork(repliesWorker, key ?? { pk: '', sk: '' })),
    );

    expect(await its.replies(account)).toHaveLength(1);
    expect(await its.credits()).toEqual([99, 99]);
  });
});

test('two workers that process the same message create one lead, and report it as new to both', async () => {
  const ada = await newAccount();
  const { organizationId } = ada;
  const world = replySetup(ada);
  const account = await world.account();
  const { id: campaignId } = await world.campaign(account);
  await world.say(account, { type: 'message', text: 'What is the price?' });
  await drainWork('inbound-events');
  const [{ id: conversationId } = { id: '' }] = await world.conversations(account);
  const conversation = await requireConversation(organizationId, conversationId);
  const [message] = await listLatestMessages(organizationId, conversationId, 1);
  const campaign = await requireCampaign(organizationId, campaignId);
  const record = () => recordLead(conversation, message as Message, { campaign, keyword: 'price' });

  const made = [...(await Promise.all([record(), record()])), await record()];

  expect(made.map(({ isNew }) => isNew)).toEqual([true, true, true]);
  expect(new Set(made.map(({ conversation: { leadId } }) => leadId)).size).toBe(1);
  expect(await world.leads()).toHaveLength(1);
});
