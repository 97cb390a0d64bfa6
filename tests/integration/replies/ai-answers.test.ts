import { beforeEach, describe, expect, test } from 'vitest';
import type { Platform } from '#schemas/platforms.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { sandbox } from '#tests/support/mails.ts';
import { newCustomer, type ReplySetup, replySetup } from './setup.ts';

let world: ReplySetup;

beforeEach(async () => {
  world = replySetup(await newAccount());
});

/** Returns the messages of the last AI request, including the instructions. */
async function lastAsked(): Promise<readonly { readonly content: string }[]> {
  const requests = await sandbox.requests({ service: 'openai' });

  return JSON.parse(requests.at(-1)?.body ?? '{}').messages;
}

/** Answers a customer message with the given AI response. */
async function answeredWith(content: unknown, platform: Platform = 'FACEBOOK') {
  const account = await world.account({ platform });
  await world.agent();
  await sandbox.addFault({
    service: 'openai',
    mode: 'error',
    status: 200,
    body: {
      id: 'chatcmpl-1',
      object: 'chat.completion',
      created: 1,
      model: 'gpt-4o-mini',
      choices:
        content === undefined
          ? []
          : [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content } }],
    },
  });

  await world.say(account, { type: 'message', text: 'Good morning', from: newCustomer() });
  await world.workOff();
  const [conversation] = await world.conversations(account);
  const [{ reply }] = await world.trace(conversation.id);

  return { replies: await world.replies(account), conversation, reply };
}

function saying(reply: unknown, rest: object = {}): string {
  return JSON.stringify({ reply, action: 'REPLY', confidence: 0.9, ...rest });
}

describe('an AI response', () => {
  test.each([
    ['is empty', undefined],
    ['is not text', null],
    ['is not JSON', 'Good morning to you!'],
    ['is truncated JSON', saying('Good morning').slice(0, -5)],
    ['is a different object', '{}'],
    ['has a text of the wrong type', saying(['Good morning'])],
    ['requests an unknown action', saying('Good morning', { action: 'REFUND' })],
    ['has a confidence above 1', saying('Good morning', { confidence: 2 })],
    ['is only whitespace', saying(' \n\u0000 ')],
  ])('is escalated to people and not sent to the customer when it %s', async (_, content) => {
    const { replies, conversation, reply } = await answeredWith(content);

    expect(replies).toMatchObject([{ text: expect.not.stringMatching(/morning|REFUND/) }]);
    expect(conversation).toMatchObject({ controller: 'HUMAN', status: 'PAUSED' });
    expect(reply).toMatchObject({ outcome: 'HANDED_OVER' });
  });

  test.each([
    ['INSTAGRAM', 1_000],
    ['TWITTER', 2_000],
  ] as const)(
    'is limited to a length that %s accepts and that people read',
    async (platform, most) => {
      await answeredWith(saying('Good morning'), platform);

      const [instructions] = await lastAsked();
      expect(instructions?.content).toContain(`Write at most ${most} characters`);
    },
  );

  test('is requested with only the start of a long message', async () => {
    const account = await world.account();
    await world.agent();
    await world.say(account, { type: 'message', text: 'x'.repeat(10_000), from: newCustomer() });
    await world.workOff();

    const [, said, ...others] = await lastAsked();
    expect([said?.content, others]).toEqual(['x'.repeat(4_000), []]);
  });

  test('is sent without characters that networks drop, and shown as it was sent', async () => {
    const { replies, conversation } = await answeredWith(
      '{"reply":"  Good\\u0000 morning \\ud83c 🍕  ","action":"REPLY","confidence":1}',
    );

    const text = 'Good morning \ufffd 🍕';
    expect(replies).toMatchObject([{ text }]);
    expect(conversation.messages).toMatchObject([{ author: 'CUSTOMER' }, { author: 'BOT', text }]);
  });

  test.each([
    ['FACEBOOK', 999],
    ['INSTAGRAM', 249],
    ['TIKTOK', 2_999],
    ['TWITTER', 4_999],
  ] as const)(
    'is truncated to the length that %s accepts, between two characters',
    async (platform, pizzas) => {
      const { replies } = await answeredWith(saying(`a${'🍕'.repeat(6_000)}`), platform);

      expect(replies).toMatchObject([{ text: `a${'🍕'.repeat(pizzas)}…` }]);
    },
  );
});
