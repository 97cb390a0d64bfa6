import { beforeEach, describe, expect, it } from 'vitest';
import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { config } from '#lib/platform/config.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { change, write } from '#lib/platform/db/write.ts';
import { updateCampaign } from '#schemas/campaigns.ts';
import { updateOrganization } from '#schemas/organizations.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { sandbox } from '#tests/support/mails.ts';
import { drainWork } from '#tests/support/work.ts';
import { newCustomer, type ReplySetup, replySetup } from './setup.ts';

const shortUrl = new RegExp(`^${config.publicBaseUrl}/b/[2-9A-Za-z]{7}$`);
const privateReply = {
  text: 'Here are our prices, {{customerName}}',
  buttons: [
    { label: 'See the prices', url: 'https://example.com/prices' },
    { label: 'Ask', reply: 'Which engine is the cheapest?' },
  ],
};

let world: ReplySetup;

beforeEach(async () => {
  world = replySetup(await newAccount());
});

/** Creates a campaign that answers comments privately with a fixed text. */
async function newCampaign(account: SocialAccount, config: object = {}, others: object[] = []) {
  const promptTemplateId = await world.template();
  const ofComments = { channel: 'COMMENT', promptTemplateId, privateReply, ...config };
  const agentConfigs = [ofComments, ...others.map((other) => ({ promptTemplateId, ...other }))];

  return world.campaign(account, { agentConfigs });
}

async function comment(account: SocialAccount, from = newCustomer(), text = 'What is the price?') {
  await world.say(account, { type: 'comment', text, from });
  await world.workOff();
}

async function privateReplies(account: SocialAccount) {
  return (await world.replies(account)).filter(({ kind }) => kind === 'message');
}

async function changeSettings(settings: object): Promise<void> {
  const { organizationId, token } = world.owner;
  const params = { organization_id: organizationId };
  const { status } = await call(updateOrganization, { params, body: { settings }, token });
  expect(status).toBe(200);
}

describe('a fixed private answer', () => {
  it.each(['FACEBOOK', 'INSTAGRAM'] as const)(
    'is sent on %s as it is written, with its buttons, without the AI, for one credit',
    async (platform) => {
      const account = await world.account({ platform });
      const campaign = await newCampaign(account);
      await comment(account, newCustomer());

      expect(await privateReplies(account)).toMatchObject([
        {
          text: privateReply.text,
          buttons: [
            { label: 'See the prices', url: expect.stringMatching(shortUrl), reply: null },
            { label: 'Ask', url: null, reply: 'Which engine is the cheapest?' },
          ],
        },
      ]);
      // The public answer costs the other credit.
      expect(await world.credits()).toEqual([98, 98]);
      const [lead] = await world.leads();
      const [inPrivate, inPublic] = await world.conversations(account);
      expect(inPrivate).toMatchObject({
        channel: 'DIRECT_MESSAGE',
        campaignId: campaign.id,
        leadId: lead.id,
        responseCount: 1,
        messages: [{ author: 'BOT', status: 'SENT', text: privateReply.text, confidence: null }],
      });
      expect(await world.trace(inPublic.id)).toMatchObject([
        {
          reply: { outcome: 'SENT' },
          privateReply: { outcome: 'SENT', templateId: null, promptTokens: 0 },
        },
      ]);
    },
  );

  it("replaces the campaign's answer to direct messages", async () => {
    const account = await world.account();
    await newCampaign(account, {}, [{ channel: 'DIRECT_MESSAGE' }]);
    const from = newCustomer();
    await comment(account, from);
    expect(await privateReplies(account)).toMatchObject([{ text: privateReply.text }]);

    await world.say(account, { type: 'message', text: 'Tell me more', from });
    await world.workOff();

    const answer = (await privateReplies(account)).at(-1);
    expect(answer).toMatchObject({ text: expect.stringContaining('Tell me more'), buttons: [] });
  });

  it('needs no buttons', async () => {
    const account = await world.account();
    await newCampaign(account, { privateReply: { text: 'Hello' } });
    await comment(account);

    expect(await privateReplies(account)).toMatchObject([{ text: 'Hello', buttons: [] }]);
  });

  it("ends the conversation's first answer with the disclosure, which is never cut", async () => {
    const aiDisclosure = 'd'.repeat(200);
    await changeSettings({ aiDisclosure });
    const account = await world.account({ platform: 'INSTAGRAM' });
    const text = 'Слово '.repeat(106).trim();
    await newCampaign(account, { privateReply: { ...privateReply, text } });
    const from = newCustomer();
    await comment(account, from);
    await comment(account, from);

    const [first, second] = await privateReplies(account);
    expect(first?.text.endsWith(`Слово…\n${aiDisclosure}`)).toBe(true);
    expect(first?.text.length).toBeGreaterThan(620);
    expect(second?.text).toBe(text);
  });

  it('has the same link again in a later answer to the same customer, and a different one for others', async () => {
    const account = await world.account();
    await newCampaign(account);
    const from = newCustomer();
    await comment(account, from);
    await comment(account, from);
    await comment(account);

    const urls = (await privateReplies(account)).map(({ buttons }) => buttons[0]?.url);
    expect(urls).toHaveLength(3);
    expect(urls[1]).toBe(urls[0]);
    expect(urls[2]).not.toBe(urls[0]);
  });

  it('stops like other answers of the agent', async () => {
    const account = await world.account();
    await newCampaign(account, { autoResponse: false });
    await comment(account);

    expect(await world.replies(account)).toEqual([]);
    const [inPublic] = await world.conversations(account);
    expect(await world.trace(inPublic.id)).toMatchObject([
      { privateReply: { outcome: 'STOPPED', stopReason: 'AUTO_RESPONSE_OFF' } },
    ]);
  });

  it('is not sent to customers who opted out, or without credits', async () => {
    const account = await world.account();
    await newCampaign(account);
    const from = newCustomer();
    await world.say(account, { type: 'message', text: 'STOP', from });
    await world.workOff();
    await comment(account, from);
    const { organizationId } = world.owner;
    await write(change(keys.balance(organizationId), { set: { credits: 0, available: 0 } }));
    await comment(account);

    const fixed = (await privateReplies(account)).filter(({ text }) => text === privateReply.text);
    expect(fixed).toEqual([]);
  });

  it('is the text of the campaign at the time of sending', async () => {
    const account = await world.account();
    const { id, agentConfigs } = await newCampaign(account);
    await world.say(account, { type: 'comment', text: 'What is the price?', from: newCustomer() });
    await drainWork('inbound-events');
    await drainWork('reply-planning');
    const { organizationId, token } = world.owner;
    const [ofComments] = agentConfigs;
    await call(updateCampaign, {
      params: { organization_id: organizationId, campaign_id: id },
      body: { agentConfigs: [{ ...ofComments, privateReply: { text: 'New prices' } }] },
      token,
    });
    await drainWork('replies');

    expect(await privateReplies(account)).toMatchObject([{ text: 'New prices' }]);
  });

  it('releases its credit if the network rejects it', async () => {
    const account = await world.account();
    await newCampaign(account);
    await sandbox.addFault({
      service: 'facebook',
      mode: 'error',
      status: 400,
      path: '/messages',
    });
    await comment(account);

    expect(await privateReplies(account)).toEqual([]);
    expect(await world.credits()).toEqual([99, 99]);
  });
});
