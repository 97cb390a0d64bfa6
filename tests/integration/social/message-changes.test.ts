import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { handler as attachmentsWorker } from '#functions/workers/attachments.ts';
import { handler as inboundWorker } from '#functions/workers/inbound-events.ts';
import { handler as repliesWorker } from '#functions/workers/replies.ts';
import type { Message } from '#lib/features/conversations/conversation.ts';
import { requireConversation } from '#lib/features/conversations/conversations.ts';
import { recordMessageSent } from '#lib/features/conversations/outbound/message-outcome.ts';
import { takeEvents } from '#lib/features/intake/receive-events.ts';
import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { hourMs, minuteMs, setClock } from '#lib/platform/clock.ts';
import { type Key, keys } from '#lib/platform/db/keys.ts';
import { get } from '#lib/platform/db/read.ts';
import type { NormalisedEvent } from '#lib/vendors/networks/network.ts';
import { hideComment, readConversation } from '#schemas/conversations.ts';
import { listKnowledgeGaps } from '#schemas/knowledge.ts';
import { getLead } from '#schemas/leads.ts';
import { exportContact } from '#schemas/persons.ts';
import { storeMessage } from '#scripts/fixtures/conversations.ts';
import { storeWebhook } from '#scripts/fixtures/organization-webhooks.ts';
import { receiverUrl } from '#scripts/fixtures/sandbox.ts';
import {
  newCustomer,
  type ReplySetup,
  replySetup,
  waitingWork,
} from '#tests/integration/replies/setup.ts';
import { type Account, newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { deathsOf, evenly, untilDeath, waitForNobody } from '#tests/support/deaths.ts';
import { depth } from '#tests/support/depth.ts';
import { runDueWork } from '#tests/support/due-work.ts';
import { mailsTo, sandbox } from '#tests/support/mails.ts';
import { messageEvent } from '#tests/support/network-events.ts';
import { overtake } from '#tests/support/overtake.ts';
import { receivedEvents } from '#tests/support/received-events.ts';
import { storedItems } from '#tests/support/table.ts';
import { drainWork, takeWork } from '#tests/support/work.ts';
import { doWork } from '../replies/setup.ts';

waitForNobody();

let ada: Account;
let world: ReplySetup;
let account: SocialAccount;
let secret: string;

beforeEach(async () => {
  ada = await newAccount();
  world = replySetup(ada);
  account = await world.account();
  secret = `SECRET-${randomUUID()}`;
});

const charles = newCustomer();
const writtenAt = new Date(Date.now() - hourMs).toISOString();

/** Returns a private message, and events that change it. */
function messageOf(text: string, occurredAt = writtenAt, id = randomUUID()) {
  const message = messageEvent(account, charles.id, {
    from: charles,
    eventId: id,
    messageId: id,
    text,
    occurredAt,
  });
  const changed = (eventId: string, others: Partial<NormalisedEvent>): NormalisedEvent => ({
    ...message,
    eventId: `${id}-${eventId}`,
    occurredAt: new Date().toISOString(),
    ...others,
  });

  return {
    message,
    edit: (revision: number, words: string) =>
      changed(`edit-${revision}`, { action: 'edit', revision, text: words }),
    withdrawal: (repetition = 1) =>
      changed(`withdraw-${repetition}`, { action: 'withdraw', text: '' }),
  };
}

async function take(...events: readonly NormalisedEvent[]): Promise<void> {
  for (const event of events) {
    await takeEvents('FACEBOOK', [event]);
    await drainWork('inbound-events');
  }
}

async function only() {
  const [conversation] = await world.conversations(account);

  return conversation;
}

/** Returns the kinds of items that contain the text. */
async function placesOf(words: string): Promise<readonly string[]> {
  const items = await storedItems();

  return items
    .filter((item) => JSON.stringify(item).includes(words))
    .map(({ sk }) => sk.replaceAll(/[0-9a-f-]{36}/g, ''));
}

async function activitiesOf(leadId: string) {
  const params = { organization_id: ada.organizationId, lead_id: leadId };
  const { lead } = (await call(getLead, { params, token: ada.token })).body;

  return lead.activities.map(({ type, description }: Readonly<Record<string, string>>) => [
    type,
    description,
  ]);
}

async function exportOf(contactId: string): Promise<string> {
  const params = { organization_id: ada.organizationId, contact_id: contactId };

  return JSON.stringify((await call(exportContact, { params, token: ada.token })).body);
}

describe.each([
  ['FACEBOOK', 'comment'],
  ['INSTAGRAM', 'message'],
  ['TIKTOK', 'comment'],
] as const)('a %s %s that is withdrawn', (platform, type) => {
  it('leaves no copy of its text', async () => {
    account = await world.account({ platform });
    await storeWebhook(ada.organizationId, { events: ['content.failed'] });
    await world.campaign(account, { webhookUrl: receiverUrl(randomUUID()) });
    const said = { type, from: charles, eventId: String(Date.now()) } as const;
    await sandbox.giveAiAnswer({ contains: secret, reply: 'Five pounds' });
    await world.say(account, { ...said, text: `The price? My code is ${secret}` });
    await drainWork();
    const before = await placesOf(secret);
    await world.say(account, { ...said, text: '', action: 'withdraw' });
    await drainWork();
    const channel = type === 'comment' ? 'COMMENT' : 'DIRECT_MESSAGE';
    const all = await world.conversations(account);
    const { leadId, contactId, messages } = all.find((one) => one.channel === channel);

    expect(before.map((sk) => sk.split('#')[0])).toEqual(expect.arrayContaining(['MESSAGE', '']));
    expect(await placesOf(secret)).toEqual([]);
    expect(messages[0]).toMatchObject({ text: '', attachments: [], deletedAt: expect.any(String) });
    expect(await activitiesOf(leadId)).toContainEqual(['MESSAGE_RECEIVED', '']);
    expect(await exportOf(contactId)).not.toContain(secret);
  });
});

describe('a conversation', () => {
  it('does not wait for its only message, count it or show it after it was withdrawn', async () => {
    const { message, withdrawal } = messageOf(secret);
    await take(message);
    await drainWork('reply-planning');
    const before = await only();
    await take(withdrawal());

    expect(before).toMatchObject({ unreadCount: 1, waitingSince: writtenAt });
    expect(await only()).toMatchObject({ unreadCount: 0, waitingSince: null, lastMessage: null });
  });

  it('waits for, counts and shows the message before the withdrawn one', async () => {
    const first = messageOf('First');
    const second = messageOf(secret, new Date(Date.parse(writtenAt) + minuteMs).toISOString());
    await take(first.message, second.message);
    await drainWork('reply-planning');
    await take(second.withdrawal());

    expect(await only()).toMatchObject({
      unreadCount: 1,
      waitingSince: writtenAt,
      lastMessage: { text: 'First', createdAt: writtenAt },
    });
  });

  it('waits for the message after the withdrawn one', async () => {
    const later = new Date(Date.parse(writtenAt) + minuteMs).toISOString();
    const [first, second] = [messageOf(secret), messageOf('Second', later)];
    await take(first.message, second.message);
    await drainWork('reply-planning');
    await take(first.withdrawal());

    expect(await only()).toMatchObject({
      unreadCount: 1,
      waitingSince: later,
      lastMessage: { text: 'Second' },
    });
  });

  it('does not wait for a message that was answered before a late message is withdrawn', async () => {
    const at = (minutes: number) =>
      new Date(Date.parse(writtenAt) + minutes * minuteMs).toISOString();
    const [early, late] = [messageOf('Early', at(1)), messageOf(secret, at(0))];
    await take(early.message);
    await take(
      messageEvent(account, charles.id, { isEcho: true, text: 'Answered', occurredAt: at(2) }),
    );
    await take(late.message, late.withdrawal());

    expect(await only()).toMatchObject({ unreadCount: 0, waitingSince: null });
  });

  it('counts the unread messages only', async () => {
    const [read, unread] = [messageOf('Read'), messageOf('Unread')];
    await take(read.message);
    const { id } = await only();
    const params = { organization_id: ada.organizationId, conversation_id: id };
    await call(readConversation, { params, token: ada.token });
    await take(unread.message, read.withdrawal());

    expect(await only()).toMatchObject({ unreadCount: 1 });
  });

  it('does not wait for a hidden comment, but for the comment before it', async () => {
    const from = newCustomer();
    await world.say(account, { text: 'First', from });
    await world.say(account, { text: 'Rude', from });
    await drainWork('inbound-events');
    await drainWork('reply-planning');
    const { id, messages } = await only();
    const params = {
      organization_id: ada.organizationId,
      conversation_id: id,
      message_id: messages[1].id,
    };
    await call(hideComment, { params, token: ada.token });

    expect(await only()).toMatchObject({
      unreadCount: 1,
      waitingSince: messages[0].createdAt,
      lastMessage: { text: 'Rude' },
    });
  });

  it('shows the message before a message that the account itself withdrew', async () => {
    const { message } = messageOf('Hello');
    const echo = messageEvent(account, charles.id, { isEcho: true, text: secret });
    await take(message, echo);
    const before = await only();
    await take({ ...echo, eventId: randomUUID(), action: 'withdraw', text: '' });
    await drainWork();

    expect(before.lastMessage).toMatchObject({ direction: 'OUT', text: secret });
    expect((await only()).lastMessage).toMatchObject({ direction: 'IN', text: 'Hello' });
    expect(await placesOf(secret)).toEqual([]);
  });
});

describe('a message of the account that was withdrawn before the service received it', () => {
  const withdrawalOf = (messageId: string) =>
    messageEvent(account, charles.id, {
      isEcho: true,
      messageId,
      action: 'withdraw',
      text: '',
      eventId: randomUUID(),
    });

  it('is recorded without its text if somebody wrote it at the network', async () => {
    const { message } = messageOf('Hello');
    const echo = messageEvent(account, charles.id, { isEcho: true, text: secret });
    await take(message, withdrawalOf(echo.messageId), echo);

    expect(await only()).toMatchObject({ controller: 'HUMAN', lastMessage: { text: 'Hello' } });
    expect(await placesOf(secret)).toEqual([]);
  });

  it('loses its text soon afterwards if the service sent it', async () => {
    await take(messageOf('Hello').message);
    const { id } = await only();
    const sent = await storeMessage(await requireConversation(ada.organizationId, id), {
      direction: 'OUT',
      author: 'HUMAN',
      status: 'PENDING',
      text: secret,
    });
    await take(withdrawalOf('sent-1'));
    await recordMessageSent(account, sent, 'DIRECT_MESSAGE', 'sent-1');
    setClock(() => Date.now() + 2 * minuteMs);
    await runDueWork();

    expect((await only()).messages.at(-1)).toMatchObject({
      text: '',
      deletedAt: expect.any(String),
    });
    expect(await placesOf(secret)).toEqual([]);
  });
});

describe('the state of a message', () => {
  const states = {
    deletedAt: async () => ({ text: '', lastMessage: null, unreadCount: 0 }),
    'edit 2': async () => ({ text: 'edit 2', lastMessage: { text: 'edit 2' }, unreadCount: 1 }),
  };

  /** Checks the state after the events, which can arrive in any order. */
  async function check(expected: keyof typeof states) {
    await drainWork();
    const { messages, lastMessage, unreadCount } = await only();
    const state = { text: messages[0].text, lastMessage, unreadCount };

    expect(messages).toHaveLength(1);
    expect(state).toMatchObject(await states[expected]());
    expect(messages[0].deletedAt !== null).toBe(expected === 'deletedAt');
    expect(await placesOf(secret)).toEqual([]);
  }

  it('does not depend on the order of a message, its edits and its withdrawal', async () => {
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray([0, 1, 2, 3, 4], { minLength: 5 }), async (order) => {
        account = await world.account();
        const { message, edit, withdrawal } = messageOf(secret);
        const events = [message, edit(1, secret), edit(2, secret), withdrawal(), withdrawal(2)];
        await take(...order.flatMap((index) => events[index] ?? []));

        await check('deletedAt');
      }),
      { numRuns: depth(4, 120) },
    );
  });

  it('has the text of the latest edit, in whatever order the edits arrive', async () => {
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray([0, 1, 2], { minLength: 3 }), async (order) => {
        account = await world.account();
        const { message, edit } = messageOf(secret);
        const events = [message, edit(1, secret), edit(2, 'edit 2')];
        await take(...order.flatMap((index) => events[index] ?? []));
        // The work of an early edit keeps its text until the edit is outdated.
        setClock(() => Date.now() + minuteMs);
        await runDueWork();
        setClock();

        await check('edit 2');
      }),
      { numRuns: depth(3, 90) },
    );
  });

  it('is not changed by edits without a text, before or after the message arrives', async () => {
    const { message, edit } = messageOf('Hello');
    await take(edit(2, ' '), message, edit(3, ''));
    await drainWork();

    const unchanged = { messages: [{ text: 'Hello' }], lastMessage: { text: 'Hello' } };
    expect(await only()).toMatchObject(unchanged);
  });

  it('is the same if all events are processed at once', async () => {
    const { message, edit, withdrawal } = messageOf(secret);
    await takeEvents('FACEBOOK', [message, edit(1, secret), edit(2, secret), withdrawal()]);
    const works = await inboundWork();
    await Promise.allSettled(works.map((key) => doWork(inboundWorker, key)));
    setClock(() => Date.now() + 2 * minuteMs);
    await runDueWork();
    setClock();

    await check('deletedAt');
  });

  async function inboundWork(): Promise<readonly Key[]> {
    const items = await storedItems(`ORG#${ada.organizationId}`);

    return items.filter(({ sk }) => sk.startsWith('OUTBOX#inboundEvent#'));
  }

  it.each([
    ['after the message', true],
    ['before the message', false],
  ])('is the same after a crash at any line of a withdrawal %s', async (_, isAfter) => {
    await world.campaign(account);
    const never = { at: 'a write', nth: Number.POSITIVE_INFINITY, when: 'before' } as const;
    let deaths = [never] as ReturnType<typeof deathsOf>;
    for (let index = 0; index < deaths.length; index += 1) {
      account = await world.account();
      const { message, withdrawal } = messageOf(`${secret} price`);
      const events = isAfter ? [message, withdrawal()] : [withdrawal(), message];
      await take(...events.slice(0, 1));
      await (isAfter ? drainWork('reply-planning') : undefined);
      await takeEvents('FACEBOOK', events.slice(1));
      await takeWork('inbound-events');
      const { writes } = await untilDeath(deaths[index] ?? never, async () => {
        for (const key of await inboundWork()) {
          await doWork(inboundWorker, key);
        }
        for (const key of (await storedItems(`ORG#${ada.organizationId}`)).filter(({ sk }) =>
          sk.startsWith('OUTBOX#attachments#'),
        )) {
          await doWork(attachmentsWorker, key);
        }
      });
      deaths =
        index === 0
          ? [never, ...evenly(deathsOf(writes), depth(3, Number.POSITIVE_INFINITY))]
          : deaths;
      setClock(() => Date.now() + 10 * minuteMs);
      await runDueWork();
      setClock();

      await check('deletedAt');
    }

    expect(deaths.length).toBeGreaterThan(2);
  });
});

describe('the answer to a message', () => {
  async function requestsWith(words: string): Promise<number> {
    return (await sandbox.requests({ service: 'openai', contains: words })).length;
  }

  it('is not sent if the message was withdrawn before it arrived', async () => {
    await world.agent();
    await world.campaign(account);
    const { message, withdrawal } = messageOf(`${secret} price`);
    await take(withdrawal(), message);
    await drainWork();

    expect(await world.replies(account)).toEqual([]);
    expect(await world.leads()).toEqual([]);
    expect((await only()).messages).toMatchObject([{ text: '', deletedAt: expect.any(String) }]);
  });

  it('is sent if the next message was withdrawn before anybody decided on it', async () => {
    account = await world.account({ platform: 'INSTAGRAM' });
    await world.agent();
    const said = { type: 'message', from: newCustomer(), eventId: randomUUID() } as const;
    await world.say(account, { ...said, eventId: randomUUID(), text: 'What does it cost?' });
    await drainWork('inbound-events');
    await drainWork('reply-planning');
    await world.say(account, { ...said, text: secret });
    await world.say(account, { ...said, text: '', action: 'withdraw' });
    await world.workOff();
    setClock(() => Date.now() + 5 * minuteMs);
    await runDueWork();

    expect(await world.replies(account)).toHaveLength(1);
    expect(await only()).toMatchObject({ waitingSince: null, controller: 'BOT' });
  });

  it('replies to the comment before the one that was withdrawn during planning', async () => {
    await world.agent({ responseDelay: 60 });
    const from = newCustomer();
    await world.say(account, { text: 'What does it cost?', from, eventId: 'c1' });
    const second = { text: secret, from, eventId: randomUUID() };
    await world.say(account, second);
    await drainWork('inbound-events');
    await drainWork('reply-planning');
    await world.say(account, { ...second, text: '', action: 'withdraw' });
    await drainWork('inbound-events');
    await drainWork('reply-planning');
    setClock(() => Date.now() + 5 * minuteMs);
    await runDueWork();

    expect(await world.replies(account)).toMatchObject([{ inReplyTo: 'c1' }]);
  });

  it('is composed again if the message was edited while the AI was composing the answer', async () => {
    await world.agent();
    const said = { type: 'message', from: newCustomer(), eventId: randomUUID() } as const;
    await world.say(account, { ...said, text: secret });
    await drainWork('inbound-events');
    await drainWork('reply-planning');
    const [key] = await waitingWork('reply', ada.organizationId);
    const slow = await sandbox.addFault({ service: 'openai', mode: 'slow', delayMs: 120_000 });
    setClock(() => Date.now() + minuteMs);
    const answering = doWork(repliesWorker, key ?? { pk: '', sk: '' });
    await expect.poll(() => requestsWith(secret)).toBe(1);
    await world.say(account, { ...said, text: 'Which sizes are there?', action: 'edit' });
    await drainWork('inbound-events');
    await sandbox.endFault(slow.id);
    await answering;
    await drainWork('replies');

    expect(await requestsWith('Which sizes are there?')).toBe(1);
    expect(await world.replies(account)).toHaveLength(1);
  });

  it('is not sent if the message was withdrawn while the network was down', async () => {
    account = await world.account({ platform: 'INSTAGRAM' });
    await world.agent();
    const said = { type: 'message', from: newCustomer(), eventId: randomUUID() } as const;
    await world.say(account, { ...said, text: secret });
    await sandbox.addFault({
      service: 'instagram',
      method: 'POST',
      mode: 'error',
      status: 400,
      body: { error: { code: 4, message: 'Application request limit reached' } },
    });
    await world.workOff();
    const [claimed] = (await only()).messages.slice(-1);
    await sandbox.clearFaults();
    await world.say(account, { ...said, text: '', action: 'withdraw' });
    await drainWork('inbound-events');
    setClock(() => Date.now() + 10 * minuteMs);
    await runDueWork();

    expect(claimed).toMatchObject({ direction: 'OUT', status: 'PENDING' });
    expect(await world.replies(account)).toEqual([]);
    expect(await only()).toMatchObject({ waitingSince: null, unreadCount: 0, responseCount: 0 });
    expect(await world.credits()).toEqual([100, 100]);
  });

  it('is not followed up once the message was withdrawn', async () => {
    account = await world.account({ platform: 'INSTAGRAM' });
    const promptTemplateId = await world.template();
    const followUp = { afterMinutes: 120, text: 'Any questions?', unless: 'REPLIED' };
    await world.campaign(account, {
      agentConfigs: [{ channel: 'DIRECT_MESSAGE', promptTemplateId, followUp }],
    });
    const said = { type: 'message', from: newCustomer(), eventId: randomUUID() } as const;
    await world.say(account, { ...said, text: `${secret} price` });
    await world.workOff();
    await world.say(account, { ...said, text: '', action: 'withdraw' });
    await drainWork('inbound-events');
    setClock(() => Date.now() + 3 * hourMs);
    await runDueWork();

    expect(await world.replies(account)).toHaveLength(1);
    expect((await world.trace((await only()).id))[0].followUp).toMatchObject({
      outcome: 'SUPERSEDED',
      detail: 'The message was withdrawn or hidden',
    });
  });
});

it('stores no file of a message that is withdrawn concurrently', async () => {
  account = await world.account({ platform: 'INSTAGRAM' });
  const said = { type: 'message', from: newCustomer(), eventId: randomUUID() } as const;
  await world.say(account, { ...said, text: secret, attachments: [{ kind: 'image' }] });
  await drainWork('inbound-events');
  const items = await storedItems(`ORG#${ada.organizationId}`);
  const work = items.find(({ sk }) => sk.startsWith('OUTBOX#attachments#')) as unknown as Key;
  const { id, messages } = await only();
  const key = keys.conversationMessage(ada.organizationId, id, messages[0].id);
  const begin = () => doWork(attachmentsWorker, { pk: work.pk, sk: work.sk });
  await overtake({ begin, operation: 'Update', key }, async () => {
    await world.say(account, { ...said, text: '', action: 'withdraw' });
    await drainWork('inbound-events');
  });

  expect((await get<Message>(key))?.attachments).toBeUndefined();
});

describe('an event or mail that is about to be sent', () => {
  it('has no text of a message that was withdrawn in the meantime', async () => {
    const { receiver } = await storeWebhook(ada.organizationId);
    const { message, withdrawal } = messageOf(secret);
    await take(message);
    await takeWork('webhook-fan-out');
    await take(withdrawal());
    await drainWork('attachments');
    setClock(() => Date.now() + 2 * minuteMs);
    await runDueWork();
    const events = await receivedEvents(receiver);

    expect(events.map(({ type }) => type).toSorted()).toEqual([
      'conversation.created',
      'message.received',
    ]);
    expect(JSON.stringify(events)).not.toContain(secret);
  });

  it('has the new text of a message that was edited in the meantime', async () => {
    const { receiver } = await storeWebhook(ada.organizationId);
    const { message, edit } = messageOf(secret);
    await take(message);
    await drainWork('webhook-fan-out');
    await takeWork('outbound-webhooks');
    await take(edit(1, 'Hello'));
    await drainWork('attachments');
    setClock(() => Date.now() + 2 * minuteMs);
    await runDueWork();
    const events = await receivedEvents(receiver);

    expect(JSON.stringify(events)).not.toContain(secret);
    expect(events.find(({ type }) => type === 'message.received')?.data.text).toBe('Hello');
    expect(
      events.find(({ type }) => type === 'conversation.created')?.data.conversation.lastMessage
        .text,
    ).toBe('Hello');
  });

  it('is also changed if it is a mail about a handover', async () => {
    await world.agent();
    await sandbox.giveAiAnswer({
      contains: secret,
      reply: 'A person will help.',
      action: 'HANDOFF',
    });
    const { message, withdrawal } = messageOf(secret);
    await take(message);
    await drainWork('reply-planning');
    setClock(() => Date.now() + minuteMs);
    await drainWork('replies');
    await take(withdrawal());
    await drainWork('mail-delivery');
    const mails = (await mailsTo(ada.email)).filter(({ subject }) =>
      subject.includes('needs an answer'),
    );

    expect(mails).toHaveLength(1);
    expect(JSON.stringify(mails)).not.toContain(secret);
  });
});

describe('a question that the knowledge does not answer', () => {
  async function gaps() {
    const params = { organization_id: ada.organizationId };

    return (await call(listKnowledgeGaps, { params, token: ada.token })).body.gaps;
  }

  async function ask() {
    await world.agent({ minConfidence: 1 });
    const asked = messageOf(`What is ${secret}?`);
    await sandbox.giveAiAnswer({ contains: secret, reply: 'Perhaps', confidence: 0.2 });
    await take(asked.message);
    await drainWork('reply-planning');
    setClock(() => Date.now() + minuteMs);
    await drainWork('replies');

    return asked;
  }

  it('is no longer a gap after it was withdrawn', async () => {
    const { withdrawal } = await ask();
    const before = await gaps();
    await take(withdrawal());
    await drainWork('attachments');

    expect(before).toHaveLength(1);
    expect(await gaps()).toEqual([]);
    expect(await placesOf(secret)).toEqual([]);
  });

  it('shows the edited text', async () => {
    const { edit } = await ask();
    await take(edit(1, 'What is it?'));
    await drainWork('attachments');

    expect(await gaps()).toMatchObject([{ question: 'What is it?', count: 1 }]);
  });
});
