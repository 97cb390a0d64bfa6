import { beforeEach, describe, expect, it } from 'vitest';
import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { hourMs } from '#lib/platform/clock.ts';
import { createContentPost, listContentPosts } from '#schemas/content.ts';
import { listLeads } from '#schemas/leads.ts';
import { syncSocialAccount } from '#schemas/social.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { type Answer, call } from '#tests/support/api.ts';
import { sandbox } from '#tests/support/mails.ts';
import { newCustomer, type ReplySetup, replySetup } from './setup.ts';

let world: ReplySetup;

beforeEach(async () => {
  world = replySetup(await newAccount());
});

async function publish(account: SocialAccount, body: object = {}): Promise<Answer['body']> {
  const { organizationId, token } = world.owner;
  const answer = await call(createContentPost, {
    params: { organization_id: organizationId },
    token,
    body: {
      socialAccountId: account.id,
      platform: account.platform,
      content: 'New engines',
      ...body,
    },
  });
  expect(answer.status).toBe(201);

  return answer.body.contentPost;
}

async function leadsWith(query: Readonly<Record<string, string>>): Promise<Answer['body'][]> {
  const { organizationId, token } = world.owner;
  const params = { organization_id: organizationId };

  return (await call(listLeads, { params, token, query })).body.leads;
}

describe('a campaign that is limited to posts', () => {
  it('matches comments under these posts only, and direct messages anywhere', async () => {
    const account = await world.account();
    const [named, other] = [await publish(account), await publish(account)];
    await world.campaign(account, { postIds: [named.id] });
    const [commenter, passerBy, writer] = [newCustomer(), newCustomer(), newCustomer()];
    const text = 'What is the price?';

    await world.say(account, {
      type: 'comment',
      text,
      from: commenter,
      postId: named.platformPostId,
    });
    await world.say(account, {
      type: 'comment',
      text,
      from: passerBy,
      postId: other.platformPostId,
    });
    await world.say(account, { type: 'message', text, from: writer });
    await world.workOff();

    const addresses = (await world.leads()).map(({ contact }) => contact.email);
    expect(addresses.toSorted()).toEqual(
      [commenter.id, writer.id].map((id) => `${id}@facebook.invalid`).toSorted(),
    );
  });

  it('does not match comments under posts that the service does not know', async () => {
    const account = await world.account();
    const post = await publish(account);
    await world.campaign(account, { postIds: [post.id] });

    await world.say(account, {
      type: 'comment',
      text: 'What is the price?',
      from: newCustomer(),
      postId: `${account.platformUserId}_777`,
    });
    await world.workOff();

    expect(await world.leads()).toEqual([]);
  });
});

describe('a campaign with accounts on several networks', () => {
  it('answers customers on each of them', async () => {
    const page = await world.account();
    const channel = await world.account({ platform: 'INSTAGRAM' });
    const campaign = await world.campaign(page, { socialAccountIds: [page.id, channel.id] });
    const [onPage, onChannel] = [newCustomer(), newCustomer()];

    await world.say(page, { type: 'message', text: 'price?', from: onPage });
    await world.say(channel, { type: 'message', text: 'price?', from: onChannel });
    await world.workOff();

    expect(await world.replies(page)).toMatchObject([{ to: onPage.id }]);
    expect(await world.replies(channel)).toMatchObject([{ to: onChannel.id }]);
    expect((await world.leads()).map(({ campaignId }) => campaignId)).toEqual([
      campaign.id,
      campaign.id,
    ]);
  });
});

describe('a lead from a conversation', () => {
  it('has the imported post that the customer commented on', async () => {
    const { organizationId, token } = world.owner;
    const account = await world.account();
    const { platform, platformUserId: userId } = account;
    const at = new Date(Date.now() - hourMs).toISOString();
    const post = await sandbox.network(platform).makePost({ userId, text: 'From elsewhere', at });
    const inOrganization = { organization_id: organizationId };
    const params = { ...inOrganization, account_id: account.id };
    const { body } = await call(syncSocialAccount, { params, token, body: {} });
    expect(body.syncResult.postsSynced).toBe(1);
    const [imported] = (
      await call(listContentPosts, { params: inOrganization, token, query: { source: 'IMPORTED' } })
    ).body.contentPosts;
    expect(imported.platformPostId).toBe(post.id);
    await world.campaign(account);

    await world.say(account, {
      type: 'comment',
      text: 'What is the price?',
      from: newCustomer(),
      postId: post.id,
    });
    await world.workOff();

    expect(await world.leads()).toMatchObject([
      { contentPost: { id: imported.id, platformPostId: post.id } },
    ]);
  });

  it('is found by its conversation and by its campaign', async () => {
    const account = await world.account();
    const campaign = await world.campaign(account);
    await world.say(account, { type: 'message', text: 'price?', from: newCustomer() });
    await world.say(account, { type: 'message', text: 'price?', from: newCustomer() });
    await world.workOff();
    const [conversation] = await world.conversations(account);

    const ofConversation = await leadsWith({ conversationId: conversation?.id ?? '' });
    expect(ofConversation).toMatchObject([
      { id: conversation?.leadId, conversationId: conversation?.id, campaignId: campaign.id },
    ]);
    expect(await leadsWith({ campaignId: campaign.id })).toHaveLength(2);
    expect(await leadsWith({ campaignId: conversation?.id ?? '' })).toEqual([]);
  });

  it.each([
    ["the post's", {}, ['newsletter', 'social', 'launch']],
    ["the campaign's", { utmSource: 'campaign' }, ['campaign', null, null]],
  ])('has %s UTM parameters', async (_, ofCampaign, expected) => {
    const account = await world.account();
    const post = await publish(account, {
      utmSource: 'newsletter',
      utmMedium: 'social',
      utmCampaign: 'launch',
    });
    await world.campaign(account, ofCampaign);

    await world.say(account, {
      type: 'comment',
      text: 'price?',
      from: newCustomer(),
      postId: post.platformPostId,
    });
    await world.workOff();

    const [lead] = await world.leads();
    expect([lead?.utmSource, lead?.utmMedium, lead?.utmCampaign]).toEqual(expected);
  });
});
