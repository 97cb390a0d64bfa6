import { beforeEach, describe, expect, it } from 'vitest';
import { handler as repliesWorker } from '#functions/workers/replies.ts';
import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { change, put, write } from '#lib/platform/db/write.ts';
import { timeOfDay } from '#lib/platform/time-zone.ts';
import type { Delivery } from '#lib/platform/webhooks/delivery.ts';
import type { HandoverReason } from '#schemas/conversation-reasons.ts';
import {
  readConversation,
  replyToConversation,
  resumeConversation,
} from '#schemas/conversations.ts';
import { updateNotificationSettings, updateOrganization } from '#schemas/organizations.ts';
import { storeWebhook } from '#scripts/fixtures/organization-webhooks.ts';
import { type Account, newAccount, newMember } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { mailsTo, sandbox } from '#tests/support/mails.ts';
import { receivedEvents } from '#tests/support/received-events.ts';
import { storedItems } from '#tests/support/table.ts';
import { drainWork } from '#tests/support/work.ts';
import { doWork, newCustomer, type ReplySetup, replySetup, waitingWork } from './setup.ts';

let ada: Account;
let world: ReplySetup;
let account: SocialAccount;
const charles = newCustomer();

beforeEach(async () => {
  ada = await newAccount();
  world = replySetup(ada);
  account = await world.account();
});

/** A customer writes a text that the AI answers with this action. */
async function ask(text: string, action = 'HANDOFF'): Promise<void> {
  await sandbox.giveAiAnswer({ contains: text, reply: 'A person will help.', action });
  await world.say(account, { type: 'message', text, from: charles });
  await world.workOff();
  await drainWork('mail-delivery');
}

async function only() {
  const [conversation] = await world.conversations(account);

  return conversation;
}

async function handoverMails(to: string) {
  const mails = await mailsTo(to);

  return mails.filter(({ subject }) => subject.includes('needs an answer'));
}

async function act(contract: Parameters<typeof call>[0], body = {}): Promise<void> {
  const params = { organization_id: ada.organizationId, conversation_id: (await only()).id };
  const { status } = await call(contract, { params, token: ada.token, body });
  expect(status).toBe(200);
}

async function handedOverEvents(): Promise<readonly Partial<Delivery>[]> {
  const items = (await storedItems(`ORG#${ada.organizationId}`)) as readonly Partial<Delivery>[];

  return items.filter(({ type }) => type === 'conversation.handed_over');
}

describe('a handover by the agent', () => {
  it("is reported to the organization's webhooks, also without a campaign", async () => {
    const { receiver } = await storeWebhook(ada.organizationId, {
      events: ['conversation.handed_over'],
    });
    await world.agent();
    await ask('May I speak to a person?');
    await drainWork();

    const { id, customer, waitingSince } = await only();
    expect(await receivedEvents(receiver)).toMatchObject([
      {
        data: {
          organizationId: ada.organizationId,
          campaignId: null,
          conversationId: id,
          reason: 'HANDOFF',
          customer: { id: customer.id },
          waitingSince,
          assignedToId: null,
        },
      },
    ]);
  });

  it('keeps the customer waiting, and emails owners and admins with a link', async () => {
    await world.agent();
    const [admin, member] = await Promise.all([newMember(ada, 'ADMIN'), newMember(ada, 'MEMBER')]);
    await ask('May I speak to a person?');

    const conversation = await only();
    const [customerMessage] = conversation.messages;
    expect(conversation).toMatchObject({
      controller: 'HUMAN',
      handedOverAt: expect.any(String),
      waitingSince: customerMessage.createdAt,
      lastMessage: { author: 'BOT', text: 'A person will help.' },
      unreadCount: 1,
    });
    const [mail] = await handoverMails(ada.email);
    for (const body of [mail?.text, mail?.html]) {
      expect(body).toContain(`/conversations/${conversation.id}`);
      expect(body).toContain(conversation.customer.name || charles.id);
      expect(body).toMatch(/since \d\d:\d\d Europe\/London\./);
    }
    expect(await handoverMails(admin.email)).toHaveLength(1);
    expect(await handoverMails(member.email)).toEqual([]);
  });

  it('emails the time in the time zone of the organization', async () => {
    const timezone = 'Asia/Kolkata';
    await call(updateOrganization, {
      params: { organization_id: ada.organizationId },
      token: ada.token,
      body: { timezone },
    });
    await world.agent();
    await ask('May I speak to a person?');
    const [message] = (await only()).messages;
    const [mail] = await handoverMails(ada.email);

    expect(mail?.text).toContain(
      `${timeOfDay(Date.parse(message.createdAt), timezone)} ${timezone}`,
    );
  });

  it('emails only the assignee, unless they turned it off', async () => {
    await world.agent();
    const member = await newMember(ada, 'MEMBER');
    await ask('Good morning', 'REPLY');
    const { id } = await only();
    await write(
      change(keys.conversation(ada.organizationId, id), { set: { assigneeId: member.userId } }),
    );
    await ask('May I speak to a person?');

    expect(await handoverMails(member.email)).toHaveLength(1);
    expect(await handoverMails(ada.email)).toEqual([]);

    const params = { organization_id: ada.organizationId };
    const body = { handedOver: 'OFF' };
    await call(updateNotificationSettings, { params, token: member.token, body });
    await act(readConversation);
    await act(resumeConversation);
    await ask('A person, please');
    expect(await handoverMails(member.email)).toHaveLength(1);
    expect(await handoverMails(ada.email)).toEqual([]);
  });

  it.each([
    ['reads', () => act(readConversation)],
    ['answers', () => act(replyToConversation, { message: 'Here I am.' })],
  ])('sends one mail until a person %s the conversation', async (_, handle) => {
    await world.agent();
    await ask('First question');
    await act(resumeConversation);
    await ask('Second question');
    expect(await handoverMails(ada.email)).toHaveLength(1);

    await handle();
    expect(await only()).toMatchObject({ unreadCount: 0 });
    await act(resumeConversation);
    await ask('Third question');
    expect(await handoverMails(ada.email)).toHaveLength(2);
  });

  it('stops waiting when a person answers', async () => {
    await world.agent();
    await ask('May I speak to a person?');
    await act(replyToConversation, { message: 'Here I am.' });

    expect(await only()).toMatchObject({
      waitingSince: null,
      unreadCount: 0,
      lastMessage: { author: 'HUMAN', text: 'Here I am.' },
    });
  });

  it('sends the event to the campaign, once', async () => {
    await world.campaign(account, { webhookUrl: 'https://hooks.example.com/' });
    await ask('What is the price, and who are you?');

    const [event, ...others] = await handedOverEvents();
    expect(others).toEqual([]);
    expect(JSON.parse(String(event?.body)).data).toMatchObject({
      conversationId: (await only()).id,
      reason: 'HANDOFF',
      waitingSince: (await only()).waitingSince,
      assignedToId: null,
    });
  });

  it('is recorded once if the work is delivered again', async () => {
    await world.agent();
    const text = 'Is anybody there?';
    await sandbox.giveAiAnswer({ contains: text, reply: 'Wait.', action: 'HANDOFF' });
    await world.say(account, { type: 'message', text, from: charles });
    await drainWork('inbound-events');
    await drainWork('reply-planning');
    const [key] = await waitingWork('reply', ada.organizationId);
    await Promise.all([1, 2, 3].map(() => key && doWork(repliesWorker, key)));
    await drainWork('mail-delivery');

    expect(await handoverMails(ada.email)).toHaveLength(1);
    expect(await world.replies(account)).toHaveLength(1);
  });
});

describe('an agent that gives up', () => {
  let promptTemplateId: string;
  beforeEach(async () => {
    promptTemplateId = await world.template();
  });
  const noCredits = () =>
    write(change(keys.balance(ada.organizationId), { set: { credits: 0, available: 0 } }));
  const pauseSubscription = () =>
    write(put(keys.subscription(ada.organizationId), { repliesPaused: true }));
  const lengthenInstructions = () =>
    write(
      change(keys.record(ada.organizationId, 'TEMPLATE', promptTemplateId), {
        set: { templateContent: 'x'.repeat(25_000) },
      }),
    );
  const causes: ReadonlyArray<
    readonly [
      HandoverReason,
      'BOT' | 'HUMAN',
      { agent?: Readonly<Record<string, unknown>>; given?: () => Promise<unknown> },
    ]
  > = [
    ['NO_CREDITS', 'BOT', { given: noCredits }],
    ['MAX_RESPONSES', 'BOT', { agent: { maxResponsesPerConversation: 1 } }],
    ['SUBSCRIPTION_PAUSED', 'BOT', { given: pauseSubscription }],
    ['PROMPT_TOO_LONG', 'BOT', { given: lengthenInstructions }],
  ];

  it.each(causes)(
    'for %s notifies people; the controller is %s',
    async (reason, controller, { agent = {}, given }) => {
      await world.agent({ promptTemplateId, ...agent });
      await ask('Good morning', 'REPLY');
      await given?.();
      await ask('Another question', 'REPLY');
      await ask('And one more', 'REPLY');

      const conversation = await only();
      expect(conversation).toMatchObject({ controller, stopReason: reason, unreadCount: 3 });
      expect(conversation.waitingSince).toBe(conversation.messages[2].createdAt);
      expect(await handoverMails(ada.email)).toHaveLength(1);
    },
  );
});
