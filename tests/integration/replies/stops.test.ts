import { beforeEach, describe, expect, test, vi } from 'vitest';
import { handler as repliesWorker } from '#functions/workers/replies.ts';
import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { hourMs, setClock, timestamp } from '#lib/platform/clock.ts';
import { type Key, keys } from '#lib/platform/db/keys.ts';
import { get } from '#lib/platform/db/read.ts';
import { change, put, write } from '#lib/platform/db/write.ts';
import { updateAgent } from '#schemas/ai.ts';
import type { StopReason } from '#schemas/conversation-reasons.ts';
import { pauseConversation, resumeConversation } from '#schemas/conversations.ts';
import { disconnectSocialAccount } from '#schemas/social.ts';
import { type Account, newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { metricLinesSince, placeInLog } from '#tests/support/log-book.ts';
import { sandbox } from '#tests/support/mails.ts';
import { overtake } from '#tests/support/overtake.ts';
import { drainWork } from '#tests/support/work.ts';
import { doWork, newCustomer, type ReplySetup, replySetup, waitingWork } from './setup.ts';

let ada: Account;
let world: ReplySetup;
let account: SocialAccount;
let promptTemplateId: string;

beforeEach(async () => {
  ada = await newAccount();
  world = replySetup(ada);
  [account, promptTemplateId] = await Promise.all([world.account(), world.template()]);
});

function inPath(conversationId: string) {
  return {
    params: { organization_id: ada.organizationId, conversation_id: conversationId },
    token: ada.token,
  };
}

const question = { type: 'message', text: 'What is the price?' } as const;

async function plan(): Promise<void> {
  await drainWork('inbound-events');
  await drainWork('reply-planning');
}

async function only() {
  const [conversation] = await world.conversations(account);

  return conversation;
}

/** Ways to stop an agent from answering, before or after the answer is planned. */
const stopCauses: ReadonlyArray<
  readonly [
    StopReason,
    {
      readonly agent?: object;
      readonly config?: object;
      readonly meanwhile?: () => Promise<unknown> | unknown;
    },
  ]
> = [
  ['AUTO_RESPONSE_OFF', { config: { autoResponse: false } }],
  ['HUMAN_TAKEOVER', { meanwhile: async () => call(pauseConversation, inPath((await only()).id)) }],
  [
    'OUTSIDE_BUSINESS_HOURS',
    {
      agent: {
        businessHoursOnly: true,
        businessHours: { start: '09:00', end: '17:00', timezone: 'Asia/Tokyo' },
      },
      // Five in the morning in Tokyo, just after the customer's message.
      meanwhile: () => setClock(() => nextAt(20)),
    },
  ],
  ['WINDOW_CLOSED', { meanwhile: () => setClock(() => Date.now() + 25 * hourMs) }],
  [
    'NOT_SUPPORTED',
    {
      meanwhile: () =>
        write(
          change(keys.socialAccount(ada.organizationId, account.id), { set: { isActive: false } }),
        ),
    },
  ],
  [
    'SUBSCRIPTION_PAUSED',
    { meanwhile: () => write(put(keys.subscription(ada.organizationId), { repliesPaused: true })) },
  ],
  [
    'NO_CREDITS',
    {
      meanwhile: () =>
        write(change(keys.balance(ada.organizationId), { set: { available: 0, credits: 0 } })),
    },
  ],
];

/** Returns the next time with this hour in UTC. */
function nextAt(hour: number): number {
  const next = new Date();
  next.setUTCHours(hour, 0, 0, 0);

  return next.getTime() > Date.now() ? next.getTime() : next.getTime() + 24 * hourMs;
}

describe('an answer is stopped', () => {
  test.each(stopCauses)(
    'by %s, which the conversation reports, and the lead is still created',
    async (reason, how) => {
      await world.agent({ promptTemplateId, ...how.agent });
      const config = { channel: 'DIRECT_MESSAGE', promptTemplateId, ...how.config };
      await world.campaign(account, { agentConfigs: [config] });
      await world.say(account, { ...question, from: newCustomer() });
      await plan();
      await how.meanwhile?.();
      await drainWork('replies');
      setClock();

      expect(await world.replies(account)).toEqual([]);
      expect((await only()).stopReason).toBe(reason);
      expect(await world.leads()).toHaveLength(1);
      expect(await world.trace((await only()).id)).toMatchObject([
        { reply: { outcome: 'STOPPED', stopReason: reason } },
      ]);
      expect(new Set(await world.credits()).size).toBe(1);
    },
  );

  test("by AGENT_INACTIVE when the template's agent is paused", async () => {
    const agent = await world.agent({ promptTemplateId });
    await world.campaign(account, {
      agentConfigs: [{ channel: 'DIRECT_MESSAGE', promptTemplateId }],
    });
    await call(updateAgent, {
      params: { organization_id: ada.organizationId, agent_id: agent.id },
      body: { status: 'PAUSED' },
      token: ada.token,
    });

    await world.say(account, { ...question, from: newCustomer() });
    await world.workOff();

    expect(await world.replies(account)).toEqual([]);
    expect((await only()).stopReason).toBe('AGENT_INACTIVE');
  });

  test.each([
    ['agent', 'AGENT_INACTIVE'],
    ['campaign', 'AGENT_INACTIVE'],
    ['account', 'NOT_SUPPORTED'],
  ])('if its %s is turned off while it is claimed', async (what, reason) => {
    const agent = await world.agent({ promptTemplateId });
    const campaign = await world.campaign(account, {
      agentConfigs: [{ channel: 'DIRECT_MESSAGE', promptTemplateId }],
    });
    await world.say(account, { ...question, from: newCustomer() });
    await plan();
    const [work = { pk: '', sk: '' }] = await waitingWork('reply', ada.organizationId);
    const { organizationId } = ada;
    const targets: Readonly<Record<string, Key>> = {
      agent: keys.record(organizationId, 'AGENT', agent.id),
      campaign: keys.campaign(organizationId, campaign.id),
      account: keys.socialAccount(organizationId, account.id),
    };
    const key = targets[what] ?? { pk: '', sk: '' };
    const off = { status: 'PAUSED', isActive: false };
    const turnOff = () => write(change(key, { set: off }));
    await overtake({ begin: () => doWork(repliesWorker, work), key }, turnOff);

    expect(await world.replies(account)).toEqual([]);
    expect((await only()).stopReason).toBe(reason);
  });

  test('if another worker has begun to send it', async () => {
    await world.agent({ promptTemplateId });
    const rejection = { status: 400, body: { error: { code: 4, message: 'Limit reached' } } };
    await sandbox.addFault({ service: 'facebook', method: 'POST', mode: 'error', ...rejection });
    await world.say(account, { ...question, from: newCustomer() });
    await world.workOff();
    await sandbox.clearFaults();
    const [work = { pk: '', sk: '' }] = await waitingWork('reply', ada.organizationId);
    const { id, messages } = await only();
    const key = keys.conversationMessage(ada.organizationId, id, messages.at(-1).id);
    setClock(() => Date.now() + hourMs);
    const mark = () => write(change(key, { set: { sendingAt: timestamp() } }));
    await overtake({ begin: () => doWork(repliesWorker, work), key }, mark);

    expect(await world.replies(account)).toEqual([]);
  });

  test("by MAX_RESPONSES at the agent's limit, which does not affect other conversations", async () => {
    await world.agent({ promptTemplateId, maxResponsesPerConversation: 1 });
    const from = newCustomer();
    for (const text of ['Hello', 'Hello again']) {
      await world.say(account, { type: 'message', text, from });
      await world.workOff();
    }

    expect(await world.replies(account)).toHaveLength(1);
    expect(await only()).toMatchObject({ stopReason: 'MAX_RESPONSES', status: 'OPEN' });
    await world.say(account, { type: 'message', text: 'Hello', from: newCustomer() });
    await world.workOff();
    expect(await world.replies(account)).toHaveLength(2);
  });

  test('permanently only by people: any other stop reason is cleared by the next answer', async () => {
    await world.agent({ promptTemplateId });
    const from = newCustomer();
    await write(change(keys.balance(ada.organizationId), { add: { available: -100 } }));
    await world.say(account, { ...question, from });
    await world.workOff();
    expect((await only()).stopReason).toBe('NO_CREDITS');

    await write(change(keys.balance(ada.organizationId), { add: { available: 100 } }));
    await world.say(account, { ...question, from });
    await world.workOff();

    expect(await world.replies(account)).toHaveLength(1);
    expect((await only()).stopReason).toBeNull();
  });
});

test('an answer without credits notifies webhooks and checks for a refill', async () => {
  await world.agent({ promptTemplateId });
  await write(change(keys.balance(ada.organizationId), { add: { available: -100 } }));
  await world.say(account, { ...question, from: newCustomer() });
  await world.workOff();

  expect(await get(keys.balance(ada.organizationId))).toMatchObject({
    available: 0,
    exhaustedToldAt: expect.any(String),
  });
});

describe('while the AI service is down', () => {
  async function tryOnce(): Promise<void> {
    const [key] = await waitingWork('reply', ada.organizationId);
    if (key) {
      await doWork(repliesWorker, key);
    }
  }

  test('an answer is tried five times, then handed over to people without a charge', async () => {
    const place = placeInLog();
    await sandbox.addFault({ service: 'openai', mode: 'down' });
    await world.agent({ promptTemplateId });
    await world.say(account, { ...question, from: newCustomer() });
    await plan();
    for (let tries = 1; tries < 5; tries += 1) {
      await tryOnce();
    }
    expect(await only()).toMatchObject({ controller: 'BOT', stopReason: null });
    expect(metricLinesSince(place, 'AgentHandedOver')).toEqual([]);

    await tryOnce();

    expect(await only()).toMatchObject({
      controller: 'HUMAN',
      status: 'PAUSED',
      stopReason: 'AI_UNAVAILABLE',
    });
    expect(metricLinesSince(place, 'AgentHandedOver')).toMatchObject([
      { level: 'ERROR', organizationId: ada.organizationId, AgentHandedOver: 1 },
    ]);
    expect(await waitingWork('reply', ada.organizationId)).toEqual([]);
    expect(await world.credits()).toEqual([100, 100]);
    const asked = await sandbox.requests({ service: 'openai' });
    expect(asked.filter(({ status }) => status === 503)).toHaveLength(5);
  });

  test('an answer is handed over when the daily budget of the organization is used up', async () => {
    const before = await sandbox.requests({ service: 'openai' });
    vi.stubEnv('AI_CALLS_PER_ORGANIZATION_DAY', '0');
    await world.agent({ promptTemplateId });
    await world.say(account, { ...question, from: newCustomer() });
    await plan();
    await tryOnce();
    vi.unstubAllEnvs();

    expect(await only()).toMatchObject({ controller: 'HUMAN', stopReason: 'AI_UNAVAILABLE' });
    expect(await sandbox.requests({ service: 'openai' })).toHaveLength(before.length);
    expect(await world.credits()).toEqual([100, 100]);
  });

  test('an answer waits and is sent when the service is back', async () => {
    await sandbox.addFault({ service: 'openai', mode: 'down', times: 2 });
    await world.agent({ promptTemplateId });
    await world.say(account, { ...question, from: newCustomer() });
    await plan();
    for (let tries = 1; tries <= 3; tries += 1) {
      await tryOnce();
    }

    expect(await world.replies(account)).toHaveLength(1);
    expect(await world.credits()).toEqual([99, 99]);
  });
});

describe('a failing network', () => {
  test('gets the answer once when it is back, for one charge', async () => {
    await sandbox.addFault({ service: 'facebook', method: 'POST', mode: 'down', times: 1 });
    await world.agent({ promptTemplateId });
    await world.say(account, { ...question, from: newCustomer() });
    await plan();
    for (let tries = 1; tries <= 2; tries += 1) {
      const [key] = await waitingWork('reply', ada.organizationId);
      await doWork(repliesWorker, key ?? { pk: '', sk: '' });
    }

    expect(await world.replies(account)).toHaveLength(1);
    expect(await world.credits()).toEqual([99, 99]);
  });

  test('leaves a waiting answer FAILED and its credit released when its account is disconnected', async () => {
    await sandbox.addFault({ service: 'facebook', method: 'POST', mode: 'down', times: 1 });
    await world.agent({ promptTemplateId });
    await world.say(account, { ...question, from: newCustomer() });
    await world.workOff();
    expect(await world.credits()).toEqual([100, 99]);
    const params = { account_id: account.id };
    expect((await call(disconnectSocialAccount, { params, token: ada.token })).status).toBe(200);
    const [key] = await waitingWork('reply', ada.organizationId);
    await doWork(repliesWorker, key ?? { pk: '', sk: '' });

    const { messages, responseCount } = await only();
    expect(messages.at(-1)).toMatchObject({ author: 'BOT', status: 'FAILED' });
    expect(responseCount).toBe(0);
    expect(await world.credits()).toEqual([100, 100]);
    expect(await waitingWork('reply', ada.organizationId)).toEqual([]);
  });

  test('leaves the outcome UNKNOWN when it never responds, and is not called again', async () => {
    await sandbox.addFault({ service: 'facebook', method: 'POST', mode: 'hang-after', times: 1 });
    await world.agent({ promptTemplateId });
    await world.say(account, { ...question, from: newCustomer() });
    await world.workOff();

    expect((await only()).messages.at(-1)).toMatchObject({ author: 'BOT', status: 'UNKNOWN' });
    expect(await world.replies(account)).toHaveLength(1);
    expect(await waitingWork('reply', ada.organizationId)).toEqual([]);
    expect(await world.credits()).toEqual([100, 100]);
  });

  test('leaves the answer FAILED, uncounted and uncharged when it rejects it', async () => {
    await sandbox.addFault({
      service: 'facebook',
      method: 'POST',
      mode: 'error',
      status: 400,
      body: '{"error":{"message":"No","type":"OAuthException","code":100}}',
    });
    await world.agent({ promptTemplateId });
    await world.say(account, { ...question, from: newCustomer() });
    await world.workOff();

    const conversation = await only();
    expect(conversation.messages.at(-1)).toMatchObject({ author: 'BOT', status: 'FAILED' });
    expect(conversation.responseCount).toBe(0);
    expect(await world.credits()).toEqual([100, 100]);
  });
});

test('the agent never answers messages that the account itself has written', async () => {
  await world.agent({ promptTemplateId });
  const from = newCustomer();
  await world.say(account, { ...question, from });
  await world.workOff();
  await call(resumeConversation, inPath((await only()).id));

  await world.say(account, { type: 'message', text: 'Ours', from, echo: true });
  await world.say(account, {
    type: 'comment',
    text: 'What is the price?',
    from: { id: account.platformUserId, name: 'Engines' },
  });
  await world.workOff();

  expect(await world.replies(account)).toHaveLength(1);
});
