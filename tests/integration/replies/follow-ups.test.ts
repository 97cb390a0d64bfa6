import { beforeEach, describe, expect, test } from 'vitest';
import { handler as repliesWorker } from '#functions/workers/replies.ts';
import type { Conversation } from '#lib/features/conversations/conversation.ts';
import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { dayMs, hourMs, minuteMs, setClock, timestamp } from '#lib/platform/clock.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { get } from '#lib/platform/db/read.ts';
import { change, write } from '#lib/platform/db/write.ts';
import { updateCampaign } from '#schemas/campaigns.ts';
import { closeConversation, pauseConversation } from '#schemas/conversations.ts';
import { type Account, newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { runDueWork } from '#tests/support/due-work.ts';
import { overtake } from '#tests/support/overtake.ts';
import { drainWork } from '#tests/support/work.ts';
import { doWork, newCustomer, type ReplySetup, replySetup, waitingWork } from './setup.ts';

type Body = Readonly<Record<string, unknown>>;

let ada: Account;
let world: ReplySetup;
let account: SocialAccount;

beforeEach(async () => {
  ada = await newAccount();
  world = replySetup(ada);
  account = await world.account();
});

const text = 'Do you have any questions?';
const followUp = { afterMinutes: 120, text, unless: 'REPLIED' };

/** Creates a campaign whose answers to messages get a follow-up. */
async function campaign(given: Body = {}, others: Body = {}) {
  const promptTemplateId = await world.template();
  await world.agent({ promptTemplateId, ...others });

  return world.campaign(account, {
    agentConfigs: [
      { channel: 'DIRECT_MESSAGE', promptTemplateId, followUp: { ...followUp, ...given } },
    ],
  });
}

/** A new customer asks a question, and the agent answers. */
async function answeredCustomer() {
  const from = newCustomer();
  await world.say(account, { type: 'message', text: 'What is the price?', from });
  await world.workOff();
  const [conversation] = await world.conversations(account);

  return { from, conversation };
}

async function pass(ms: number): Promise<void> {
  setClock(() => Date.now() + ms);
  await runDueWork();
}

async function followUps() {
  return (await world.replies(account)).filter((sent) => sent.text === text);
}

async function answeringState(conversationId: string) {
  const stored = await get<Conversation>(keys.conversation(ada.organizationId, conversationId));
  const { stopReason, controller, status, responseCount, lastMessage } = stored ?? {};

  return { stopReason, controller, status, responseCount, lastMessage };
}

/** Returns the follow-up in the trace of the conversation's oldest message. */
async function traced(conversationId: string) {
  return (await world.trace(conversationId)).at(-1).followUp;
}

describe('a follow-up', () => {
  test('is sent once, after its time, for a credit', async () => {
    const { id: campaignId } = await campaign();
    const { from, conversation } = await answeredCustomer();

    await pass(119 * minuteMs);
    expect(await followUps()).toEqual([]);
    await pass(121 * minuteMs);
    await pass(dayMs);

    expect(await followUps()).toMatchObject([{ kind: 'message', to: from.id }]);
    expect(await world.credits()).toEqual([98, 98]);
    const [after] = await world.conversations(account);
    expect(after).toMatchObject({
      responseCount: 2,
      stopReason: null,
      lastMessage: { author: 'BOT', text },
      messages: [
        { author: 'CUSTOMER' },
        { author: 'BOT' },
        { author: 'BOT', status: 'SENT', text, confidence: null },
      ],
    });
    expect(await traced(conversation.id)).toMatchObject({ outcome: 'SENT', campaignId });
  });

  test('is sent once, even if two deliveries of the work arrive concurrently', async () => {
    await campaign();
    await answeredCustomer();
    const [key = { pk: '', sk: '' }] = await waitingWork('reply', ada.organizationId);
    setClock(() => Date.now() + 2 * hourMs);

    await Promise.all([1, 2, 3].map(() => doWork(repliesWorker, key).catch(() => undefined)));
    await pass(3 * hourMs);

    expect(await followUps()).toHaveLength(1);
    expect(await world.credits()).toEqual([98, 98]);
  });

  test('is sent once in a conversation, and later answers do not postpone it', async () => {
    await campaign({ unless: 'CLICKED' });
    const { from } = await answeredCustomer();
    setClock(() => Date.now() + hourMs);
    await world.say(account, { type: 'message', text: 'And the price of two?', from });
    await world.workOff();

    await pass(121 * minuteMs);
    expect(await followUps()).toHaveLength(1);
    await pass(6 * hourMs);

    expect(await followUps()).toHaveLength(1);
    expect(await world.credits()).toEqual([97, 97]);
  });

  test('that a message ends is sent after a click', async () => {
    await campaign();
    const { conversation } = await answeredCustomer();
    const key = keys.conversation(ada.organizationId, conversation.id);
    await write(change(key, { set: { clickedAt: timestamp() } }));

    await pass(121 * minuteMs);

    expect(await followUps()).toHaveLength(1);
  });

  test('keeps the reply to a newer message', async () => {
    await campaign({ unless: 'CLICKED' });
    const { from } = await answeredCustomer();
    setClock(() => Date.now() + 2 * hourMs);
    await world.say(account, { type: 'message', text: 'And the price of two?', from });
    const [key = { pk: '', sk: '' }] = await waitingWork('reply', ada.organizationId);
    await doWork(repliesWorker, key);
    await world.workOff();

    const [conversation] = await world.conversations(account);
    const authors = conversation.messages.map(({ author }: { author: string }) => author);
    expect(authors.toSorted()).toEqual(['BOT', 'BOT', 'BOT', 'CUSTOMER', 'CUSTOMER']);
    expect(await followUps()).toHaveLength(1);
  });

  test('after a private answer waits until the customer has opened the reply window', async () => {
    const promptTemplateId = await world.template();
    await world.campaign(account, {
      agentConfigs: [
        { channel: 'COMMENT', promptTemplateId, followUp: { ...followUp, unless: 'CLICKED' } },
        { channel: 'DIRECT_MESSAGE', promptTemplateId },
      ],
    });
    const [silent, writes] = [newCustomer(), newCustomer()];
    for (const from of [silent, writes]) {
      await world.say(account, { type: 'comment', text: 'What is the price?', from });
    }
    await world.workOff();
    await world.say(account, { type: 'message', text: 'Thank you', from: writes });
    await world.workOff();
    const before = await world.credits();

    await pass(121 * minuteMs);

    expect(await followUps()).toMatchObject([{ to: writes.id }]);
    expect(await world.credits()).toEqual(before.map((credits) => credits - 1));
    const comments = (await world.conversations(account)).filter(
      ({ channel }) => channel === 'COMMENT',
    );
    const outcomes = await Promise.all(comments.map(({ id }) => traced(id)));
    expect(outcomes.map(({ outcome, stopReason }) => [outcome, stopReason]).toSorted()).toEqual([
      ['SENT', null],
      ['STOPPED', 'WINDOW_CLOSED'],
    ]);
  });

  test('follows the first answer to a message if the private answer has none', async () => {
    const promptTemplateId = await world.template();
    await world.campaign(account, {
      agentConfigs: [
        { channel: 'COMMENT', promptTemplateId },
        { channel: 'DIRECT_MESSAGE', promptTemplateId, followUp },
      ],
    });
    const from = newCustomer();
    await world.say(account, { type: 'comment', text: 'What is the price?', from });
    await world.workOff();
    await world.say(account, { type: 'message', text: 'Thank you', from });
    await world.workOff();

    await pass(121 * minuteMs);

    expect(await followUps()).toHaveLength(1);
  });
});

describe('a follow-up is dropped', () => {
  type Given = { readonly conversationId: string; readonly from: ReturnType<typeof newCustomer> };

  const inOrganization = () => ({ organization_id: ada.organizationId });
  const setTo = (key: Parameters<typeof change>[0], set: Body) => write(change(key, { set }));
  const update = (campaignId: string, body: Body) =>
    call(updateCampaign, {
      params: { ...inOrganization(), campaign_id: campaignId },
      token: ada.token,
      body,
    });

  const causes: ReadonlyArray<
    readonly [
      string,
      Body,
      {
        readonly config?: Body;
        readonly agent?: Body;
        readonly given: (given: Given & { readonly campaignId: string }) => Promise<unknown>;
      },
    ]
  > = [
    [
      'after a message of the customer',
      { outcome: 'SUPERSEDED', detail: 'The customer has replied' },
      {
        given: async ({ from }) => {
          await world.say(account, { type: 'message', text: 'No, thank you', from });
          await world.workOff();
        },
      },
    ],
    [
      'after a click of the customer',
      { outcome: 'SUPERSEDED', detail: 'The customer has clicked' },
      {
        config: { unless: 'CLICKED' },
        given: ({ conversationId }) =>
          setTo(keys.conversation(ada.organizationId, conversationId), { clickedAt: timestamp() }),
      },
    ],
    [
      'in a closed conversation',
      { outcome: 'SUPERSEDED', detail: 'The conversation was closed' },
      {
        given: ({ conversationId }) =>
          call(closeConversation, {
            params: { ...inOrganization(), conversation_id: conversationId },
            token: ada.token,
          }),
      },
    ],
    [
      'after a takeover',
      { outcome: 'STOPPED', stopReason: 'HUMAN_TAKEOVER' },
      {
        given: ({ conversationId }) =>
          call(pauseConversation, {
            params: { ...inOrganization(), conversation_id: conversationId },
            token: ada.token,
          }),
      },
    ],
    [
      'after an opt-out',
      { outcome: 'STOPPED', stopReason: 'OPTED_OUT' },
      {
        config: { unless: 'CLICKED' },
        given: async ({ from }) => {
          await world.say(account, { type: 'message', text: 'STOP', from });
          await world.workOff();
        },
      },
    ],
    [
      'when the campaign is paused',
      { outcome: 'STOPPED', stopReason: 'AGENT_INACTIVE' },
      { given: ({ campaignId }) => update(campaignId, { status: 'PAUSED' }) },
    ],
    [
      'when the campaign no longer has it',
      { outcome: 'NOBODY' },
      { given: ({ campaignId }) => update(campaignId, { agentConfigs: [] }) },
    ],
    [
      'when the account is inactive',
      { outcome: 'STOPPED', stopReason: 'NOT_SUPPORTED' },
      {
        given: () => setTo(keys.socialAccount(ada.organizationId, account.id), { isActive: false }),
      },
    ],
    [
      'without credits',
      { outcome: 'STOPPED', stopReason: 'NO_CREDITS' },
      { given: () => setTo(keys.balance(ada.organizationId), { available: 0 }) },
    ],
    [
      'at the limit of responses',
      { outcome: 'STOPPED', stopReason: 'MAX_RESPONSES' },
      { agent: { maxResponsesPerConversation: 1 }, given: async () => undefined },
    ],
    [
      'while the subscription is paused',
      { outcome: 'STOPPED', stopReason: 'SUBSCRIPTION_PAUSED' },
      {
        given: () =>
          write(
            change(keys.subscription(ada.organizationId), {
              set: { repliesPaused: true },
              orCreate: true,
            }),
          ),
      },
    ],
    [
      'while the organization is suspended',
      { outcome: 'STOPPED', stopReason: 'AGENT_INACTIVE' },
      {
        given: () => setTo(keys.organization(ada.organizationId), { suspendedAt: timestamp() }),
      },
    ],
  ];

  test.each(causes)('%s', async (_, outcome, { config, agent, given }) => {
    const { id: campaignId } = await campaign(config, agent);
    const { from, conversation } = await answeredCustomer();
    await given({ campaignId, conversationId: conversation.id, from });
    const before = await answeringState(conversation.id);

    await pass(121 * minuteMs);

    expect(await followUps()).toEqual([]);
    expect(await traced(conversation.id)).toMatchObject(outcome);
    expect(await answeringState(conversation.id)).toEqual(before);
    expect(await waitingWork('reply', ada.organizationId)).toEqual([]);
  });

  const meanwhile: ReadonlyArray<readonly [string, string, (given: Given) => Promise<unknown>]> = [
    [
      'a click',
      'CLICKED',
      ({ conversationId }) =>
        setTo(keys.conversation(ada.organizationId, conversationId), { clickedAt: timestamp() }),
    ],
    [
      'a message',
      'REPLIED',
      async ({ from }) => {
        await world.say(account, { type: 'message', text: 'No, thank you', from });
        await drainWork('inbound-events');
      },
    ],
  ];

  test.each(meanwhile)('by %s while it is being claimed', async (_, unless, act) => {
    await campaign({ unless });
    const { from, conversation } = await answeredCustomer();
    const [key = { pk: '', sk: '' }] = await waitingWork('reply', ada.organizationId);
    setClock(() => Date.now() + 2 * hourMs);

    await overtake({ begin: () => doWork(repliesWorker, key) }, () =>
      act({ from, conversationId: conversation.id }),
    );
    await pass(3 * hourMs);

    expect(await followUps()).toEqual([]);
    expect(await traced(conversation.id)).toMatchObject({ outcome: 'SUPERSEDED' });
  });

  test('after the reply window of the network', async () => {
    await campaign({ afterMinutes: 1_380 });
    const { conversation } = await answeredCustomer();

    await pass(25 * hourMs);

    expect(await followUps()).toEqual([]);
    expect(await traced(conversation.id)).toMatchObject({
      outcome: 'STOPPED',
      stopReason: 'WINDOW_CLOSED',
    });
  });
});
