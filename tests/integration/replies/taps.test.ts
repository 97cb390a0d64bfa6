import { beforeEach, describe, expect, test } from 'vitest';
import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { deliver, signedTap } from '#tests/support/network-events.ts';
import { newCustomer, type ReplySetup, replySetup } from './setup.ts';

let world: ReplySetup;

beforeEach(async () => {
  world = replySetup(await newAccount());
});

describe.each(['FACEBOOK', 'INSTAGRAM'] as const)(
  'a button tapped by a customer on %s',
  (platform) => {
    const reply = 'What is the price of the difference engine?';

    /** Answers a customer's comment with a button, and returns the campaign. */
    async function sendButton(account: SocialAccount, from: ReturnType<typeof newCustomer>) {
      const promptTemplateId = await world.template();
      const privateReply = { text: 'How can we help?', buttons: [{ label: 'Prices', reply }] };
      const campaign = await world.campaign(account, {
        keywords: [
          { keyword: 'help', matchType: 'EXACT', priority: 1 },
          { keyword: 'difference engine', matchType: 'CONTAINS', priority: 1 },
        ],
        agentConfigs: [
          { channel: 'COMMENT', promptTemplateId, privateReply },
          { channel: 'DIRECT_MESSAGE', promptTemplateId },
        ],
      });
      await world.say(account, { type: 'comment', text: 'Help', from });
      await world.workOff();

      return campaign;
    }

    /** Returns the event for a customer who taps the button. */
    async function tapOf(account: SocialAccount, from: ReturnType<typeof newCustomer>) {
      const sent = await world.replies(account);
      const replyId = sent.find(({ kind }) => kind === 'message')?.id;

      return signedTap(account, { from, replyId, label: 'Prices' });
    }

    async function inPrivate(account: SocialAccount) {
      const conversations = await world.conversations(account);

      return conversations.find(({ channel }) => channel === 'DIRECT_MESSAGE');
    }

    test('a tap is one message of the customer with the reply of the button', async () => {
      const account = await world.account({ platform });
      const from = newCustomer();
      const campaign = await sendButton(account, from);
      const tap = await tapOf(account, from);

      for (let time = 0; time < 5; time += 1) {
        expect((await deliver(platform, tap)).status).toBe(200);
      }
      await world.workOff();

      expect(await inPrivate(account)).toMatchObject({
        campaignId: campaign.id,
        messages: [
          { author: 'BOT', text: 'How can we help?' },
          { author: 'CUSTOMER', text: reply },
          { author: 'BOT', status: 'SENT' },
        ],
      });
      expect(await world.leads()).toHaveLength(1);
    });

    test.each([
      ['Prices', reply],
      ['Prices', 'FLOW_17#NODE_3'],
      ['What is the price of the difference engine?', 'FLOW_17#NODE_3'],
      ['', 'GET_STARTED_PAYLOAD'],
    ])('a tap on a button of another app has the title %j as its text', async (label, payload) => {
      const account = await world.account({ platform });
      await sendButton(account, newCustomer());
      const from = newCustomer();

      await deliver(platform, await signedTap(account, { from, label, payload }));
      await world.workOff();

      const conversations = await world.conversations(account);
      const own = conversations.find(({ customer }) => customer.id === from.id);
      expect(own?.messages[0]).toMatchObject({ author: 'CUSTOMER', text: label });
      expect(own?.campaignId !== null).toBe(label === reply);
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
  },
);
