import { beforeEach, describe, expect, test } from 'vitest';
import { handler as repliesWorker } from '#functions/workers/replies.ts';
import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import type { Key } from '#lib/platform/db/keys.ts';
import { defaultOptOutMessage } from '#schemas/consent-words.ts';
import { listMessages, replyToConversation } from '#schemas/conversations.ts';
import { updateOrganization } from '#schemas/organizations.ts';
import { type Account, newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { sandbox } from '#tests/support/mails.ts';
import { storedItems } from '#tests/support/table.ts';
import { drainWork } from '#tests/support/work.ts';
import { doWork, newCustomer, type ReplySetup, replySetup, waitingWork } from './setup.ts';

let ada: Account;
let world: ReplySetup;
let account: SocialAccount;
let from: ReturnType<typeof newCustomer>;

beforeEach(async () => {
  ada = await newAccount();
  world = replySetup(ada);
  account = await world.account();
  from = newCustomer();
});

async function write(text: string, said: Parameters<ReplySetup['say']>[1] = {}): Promise<void> {
  await world.say(account, { type: 'message', text, from, ...said });
  await world.workOff();
}

async function textsSent(): Promise<readonly string[]> {
  return (await world.replies(account)).map(({ text }) => text);
}

async function conversationOn(channel: string) {
  return (await world.conversations(account)).find((known) => known.channel === channel);
}

async function set(settings: Readonly<Record<string, unknown>>): Promise<void> {
  const params = { organization_id: ada.organizationId };
  const { status } = await call(updateOrganization, {
    params,
    body: { settings },
    token: ada.token,
  });
  expect(status).toBe(200);
}

describe('an opt-out', () => {
  test('is confirmed once, without an agent and without a credit', async () => {
    const before = await world.credits();
    await write(' Stop! ');
    await write('STOP');
    await write('stop.');

    expect(await textsSent()).toEqual([defaultOptOutMessage]);
    expect(await world.credits()).toEqual(before);
    expect(await conversationOn('DIRECT_MESSAGE')).toMatchObject({
      customer: { optedOutAt: expect.any(String) },
      stopReason: 'OPTED_OUT',
      responseCount: 0,
      controller: 'BOT',
    });
  });

  test('stops the agent on all channels of the account, but not people', async () => {
    await world.agent();
    await write('What is the price?', { type: 'comment' });
    await write('STOP');
    const sent = await textsSent();
    await write('And for two?', { type: 'comment' });
    await write('And for three?');

    expect(sent).toHaveLength(2);
    expect(await textsSent()).toHaveLength(2);
    const [message, comment] = await Promise.all(['DIRECT_MESSAGE', 'COMMENT'].map(conversationOn));
    const { optedOutAt } = message?.customer ?? {};
    expect(optedOutAt).toEqual(expect.any(String));
    expect(comment).toMatchObject({ customer: { optedOutAt }, stopReason: 'OPTED_OUT' });
    const [traced] = await world.trace(String(comment?.id));
    expect(traced.reply).toMatchObject({ outcome: 'STOPPED', stopReason: 'OPTED_OUT' });

    const params = { organization_id: ada.organizationId, conversation_id: String(message?.id) };
    const body = { message: 'A person answers.' };
    expect((await call(replyToConversation, { params, body, token: ada.token })).status).toBe(200);
    expect(await textsSent()).toContain('A person answers.');
  });

  test('applies to conversations that begin later', async () => {
    await world.agent();
    await write('STOP');
    await write('What is the price?', { type: 'comment' });

    expect(await textsSent()).toEqual([defaultOptOutMessage]);
    expect(await conversationOn('COMMENT')).toMatchObject({
      customer: { optedOutAt: expect.any(String) },
      stopReason: 'OPTED_OUT',
    });
  });

  test('does not result from a comment, or from a longer message', async () => {
    await write('STOP', { type: 'comment' });
    await write('Please stop');

    expect(await textsSent()).toEqual([]);
    expect(await conversationOn('DIRECT_MESSAGE')).toMatchObject({
      customer: { optedOutAt: null },
    });
  });

  test('does not affect other customers of the account', async () => {
    await world.agent();
    await write('STOP');
    from = newCustomer();
    await write('What is the price?');

    expect(await textsSent()).toHaveLength(2);
  });

  test('still creates the lead of a keyword', async () => {
    await world.campaign(account, {
      keywords: [{ keyword: 'stop', matchType: 'EXACT', priority: 1 }],
    });
    await write('STOP');

    expect(await world.leads()).toHaveLength(1);
    expect(await textsSent()).toEqual([defaultOptOutMessage]);
  });

  test('is confirmed while people have the conversation', async () => {
    await world.agent();
    await write('Good morning');
    const { id } = (await conversationOn('DIRECT_MESSAGE')) ?? {};
    const params = { organization_id: ada.organizationId, conversation_id: String(id) };
    await call(replyToConversation, { params, body: { message: 'Hello' }, token: ada.token });
    await write('STOP');

    expect(await textsSent()).toContain(defaultOptOutMessage);
    expect(await conversationOn('DIRECT_MESSAGE')).toMatchObject({
      controller: 'HUMAN',
      stopReason: 'HUMAN_TAKEOVER',
    });
  });

  test('uses the words and the message of the organization', async () => {
    await set({ optOutWords: ['Enough'], optOutMessage: 'As you wish.' });
    await write('STOP');
    await write('ENOUGH');

    expect(await textsSent()).toEqual(['As you wish.']);
  });

  test('is stored without the id of the customer', async () => {
    await write('STOP');
    const stored = (await storedItems(`ORG#${ada.organizationId}`)).filter(({ sk }) =>
      sk.startsWith('OPT_OUT#'),
    );

    expect(stored).toHaveLength(1);
    expect(JSON.stringify(stored)).not.toContain(from.id);
  });
});

describe('an opt-in', () => {
  test.each(['START', 'unstop', 'Weiter!'])('by %s ends the opt-out', async (word) => {
    await set({ optInWords: ['weiter'] });
    await world.agent();
    await write('What is the price?', { type: 'comment' });
    await write('STOP');
    await write(word);
    await write('And for two?', { type: 'comment' });

    const sent = await textsSent();
    expect(sent.filter((text) => text === defaultOptOutMessage)).toHaveLength(1);
    // The opt-in is a message like any other, so the agent answers it too.
    expect(sent).toHaveLength(4);
    for (const channel of ['DIRECT_MESSAGE', 'COMMENT']) {
      expect(await conversationOn(channel)).toMatchObject({
        customer: { optedOutAt: null },
        stopReason: null,
      });
    }
  });

  test('that was written before the opt-out does not end it', async () => {
    const at = (minute: number) => new Date(Date.UTC(2026, 0, 15, 9, minute)).toISOString();
    await write('STOP', { at: at(30) });
    await write('START', { at: at(10) });

    expect(await conversationOn('DIRECT_MESSAGE')).toMatchObject({
      customer: { optedOutAt: at(30) },
    });
  });

  test('is followed by a new confirmation after another opt-out', async () => {
    await write('STOP');
    await write('START');
    await write('STOP');

    expect(await textsSent()).toEqual([defaultOptOutMessage, defaultOptOutMessage]);
  });
});

describe('the confirmation', () => {
  const question = { type: 'message', text: 'STOP' } as const;

  async function tryTwice(): Promise<void> {
    await world.say(account, { ...question, from });
    await drainWork('inbound-events');
    for (const [key] of [await waitingWork('reply', ada.organizationId)]) {
      await doWork(repliesWorker, key as Key);
      await doWork(repliesWorker, key as Key);
    }
  }

  test('is sent again if the network did not accept it', async () => {
    await sandbox.addFault({ service: 'facebook', method: 'POST', mode: 'down', times: 1 });
    await tryTwice();

    expect(await textsSent()).toEqual([defaultOptOutMessage]);
  });

  test('is not sent again if the network did not respond', async () => {
    await sandbox.addFault({
      service: 'facebook',
      method: 'POST',
      mode: 'error',
      status: 500,
      times: 1,
    });
    await tryTwice();

    expect(await textsSent()).toEqual([]);
    const params = {
      organization_id: ada.organizationId,
      conversation_id: String((await conversationOn('DIRECT_MESSAGE'))?.id),
    };
    const { messages } = (await call(listMessages, { params, token: ada.token })).body;
    expect(messages.map(({ status }: { status: string }) => status)).toEqual([
      'UNKNOWN',
      'RECEIVED',
    ]);
  });
});
