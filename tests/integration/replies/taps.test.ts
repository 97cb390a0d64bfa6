import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { withMessagingToken } from '#lib/features/social/tokens/fresh-credentials.ts';
import { hourMs, setClock } from '#lib/platform/clock.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { deliver, signedTap } from '#tests/support/network-events.ts';
import { newCustomer, type ReplyWorld, replyWorld } from './world.ts';

let world: ReplyWorld;

beforeEach(async () => {
  world = replyWorld(await newAccount());
});
afterEach(() => setClock());

describe.each(['FACEBOOK', 'INSTAGRAM'] as const)('on %s', (platform) => {
  const reply = 'What is the price of the difference engine?';

  /** Sends the customer a message with a button, and returns a tap on it. */
  async function tapOf(account: SocialAccount, from: ReturnType<typeof newCustomer>) {
    const message = { to: from.id, text: 'How can we help?', echoTag: 'tag' };
    const buttons = [{ label: 'Prices', reply }];
    const { id: replyId } = await withMessagingToken(account, (network, credentials) =>
      network.sendDirectMessage(credentials, { ...message, buttons }),
    );

    return signedTap(account, { from, replyId, label: 'Prices' });
  }

  test('a tap is one message of the customer with the reply of the button', async () => {
    const account = await world.account({ platform });
    const campaign = await world.campaign(account, {
      keywords: [{ keyword: 'difference engine', matchType: 'CONTAINS', priority: 1 }],
    });
    const from = newCustomer();
    await world.say(account, { type: 'message', text: 'Hello', from });
    await world.workOff();
    const tap = await tapOf(account, from);
    const later = Date.now() + hourMs;
    setClock(() => later);

    for (let time = 0; time < 5; time += 1) {
      expect((await deliver(platform, tap)).status).toBe(200);
    }
    await world.workOff();

    const [conversation, ...others] = await world.conversations(account);
    expect(others).toEqual([]);
    expect(conversation).toMatchObject({
      channel: 'DIRECT_MESSAGE',
      campaignId: campaign.id,
      messages: [
        { author: 'CUSTOMER', text: 'Hello' },
        { author: 'CUSTOMER', text: reply },
        { author: 'BOT', status: 'SENT' },
      ],
    });
    expect(await world.leads()).toHaveLength(1);
    const sent = await world.replies(account);
    expect(sent.filter(({ text }) => text !== 'How can we help?')).toHaveLength(1);
    expect(await world.credits()).toEqual([99, 99]);
  });

  test('a reply to a story is a message with the story', async () => {
    const account = await world.account({ platform });
    await world.campaign(account);
    const url = 'https://cdn.example.com/story.jpg';
    const attachments = [{ kind: 'story' as const, url }];

    await world.say(account, { type: 'message', text: 'What is the price?', attachments }, 3);
    await world.workOff();

    expect(await world.conversations(account)).toMatchObject([
      {
        channel: 'DIRECT_MESSAGE',
        messages: [
          {
            author: 'CUSTOMER',
            text: 'What is the price?',
            attachments: [{ kind: 'STORY' }],
          },
          { author: 'BOT', status: 'SENT' },
        ],
      },
    ]);
  });
});
