import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import type { SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { getAttribution } from '#schemas/attribution.ts';
import { deleteCampaign, getCampaign, listCampaigns } from '#schemas/campaigns.ts';
import { createContentPost, getContentPerformance } from '#schemas/content.ts';
import type { Contract } from '#schemas/contract.ts';
import { deleteLead, eraseContact, getLead } from '#schemas/leads.ts';
import { deleteOrganization } from '#schemas/organizations.ts';
import { exportContact } from '#schemas/persons.ts';
import { storeWebhook } from '#scripts/fixtures/organization-webhooks.ts';
import { receiverUrl } from '#scripts/fixtures/sandbox.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { type Answer, call } from '#tests/support/api.ts';
import { sandbox } from '#tests/support/mails.ts';
import { receivedEvents } from '#tests/support/received-events.ts';
import { storedItems } from '#tests/support/table.ts';
import { drainWork } from '#tests/support/work.ts';
import { followBioLink, phone } from '../bio/setup.ts';
import { newCustomer, type ReplySetup, replySetup } from './setup.ts';

const url = 'https://example.com/prices?utm_medium=own#list';
const destination =
  'https://example.com/prices?utm_medium=own&utm_source=social&utm_campaign=spring%20sale#list';
const otherUrl = 'https://example.com/engines';

let world: ReplySetup;
let account: SocialAccount;

beforeEach(async () => {
  world = replySetup(await newAccount());
  account = await world.account();
});

async function ask(
  contract: Contract,
  params: Readonly<Record<string, string>> = {},
  body?: object,
  query?: Readonly<Record<string, string>>,
): Promise<Answer['body']> {
  const { organizationId, token } = world.owner;
  const answer = await call(contract, {
    params: { organization_id: organizationId, ...params },
    ...(body ? { body } : {}),
    ...(query ? { query } : {}),
    token,
  });
  expect(answer.status).toBeLessThan(300);

  return answer.body;
}

async function newCampaign(details: object = {}) {
  const promptTemplateId = await world.template();
  const buttons = [
    { label: 'Prices', url },
    { label: 'Engines', url: otherUrl },
  ];

  return world.campaign(account, {
    agentConfigs: [
      { channel: 'COMMENT', promptTemplateId, privateReply: { text: 'Our prices', buttons } },
    ],
    utmSource: 'social',
    utmMedium: 'button',
    utmCampaign: 'spring sale',
    ...details,
  });
}

/** A customer comments. Returns the short links that they get. */
async function linksFor(from = newCustomer(), postId?: string): Promise<readonly string[]> {
  const said = { type: 'comment', text: 'What is the price?', from } as const;
  await world.say(account, { ...said, ...(postId ? { postId } : {}) });
  await world.workOff();
  const [answer] = (await world.replies(account)).filter(({ kind }) => kind === 'message');

  return answer?.buttons.map((button) => button.url ?? '') ?? [];
}

const click = (shortUrl: string, visit?: Parameters<typeof followBioLink>[1]) =>
  followBioLink({ shortUrl }, visit);

async function clicksOf(campaignId: string): Promise<number> {
  await drainWork('bio-clicks');
  const { campaign } = await ask(getCampaign, { campaign_id: campaignId });
  const { campaigns } = await ask(listCampaigns);
  const listed = campaigns.find(({ id }: { id: string }) => id === campaignId);
  expect(listed.clicks).toBe(campaign.clicks);

  return campaign.clicks;
}

async function clickActivities() {
  const [lead] = await world.leads();
  const { activities } = (await ask(getLead, { lead_id: lead.id })).lead;

  return activities.filter(({ type }: { type: string }) => type === 'LINK_CLICKED');
}

describe('a personal link', () => {
  it("redirects with the campaign's UTM parameters unless the URL has them", async () => {
    await newCampaign();
    const [link = ''] = await linksFor();
    const { status, headers } = await click(link);

    expect([status, headers.location]).toEqual([302, destination]);
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex' });
  });

  it('counts its customer once, even for 20 concurrent clicks', async () => {
    const { id } = await newCampaign();
    const [link = ''] = await linksFor();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => click(link, { ip: `203.0.113.${index}` })),
    );
    await drainWork('bio-clicks');
    await click(link);

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([302]));
    expect(await clicksOf(id)).toBe(1);
    expect(await clickActivities()).toHaveLength(1);
  });

  it('counts nothing for another organization with the same campaign', async () => {
    await newCampaign();
    const [link = ''] = await linksFor();
    const [mine, others] = [{ world, account }, replySetup(await newAccount())];
    world = others;
    account = await world.account();
    const { id } = await newCampaign();
    await linksFor();
    await click(link);

    expect(await clicksOf(id)).toBe(0);
    expect(await clickActivities()).toEqual([]);
    ({ world, account } = mine);
    expect(await clickActivities()).toHaveLength(1);
  });

  it('does not count bots, previews and HEAD requests', async () => {
    const { id } = await newCampaign();
    const [link = ''] = await linksFor();
    const visits = [
      { method: 'HEAD' },
      { headers: { 'user-agent': 'facebookexternalhit/1.1' } },
      { headers: { 'user-agent': '' } },
      { headers: { 'user-agent': phone, 'sec-purpose': 'prefetch' } },
      { headers: { 'user-agent': phone, 'x-purpose': 'preview' } },
    ];
    for (const visit of visits) {
      expect((await click(link, visit)).status).toBe(302);
    }
    expect(await clicksOf(id)).toBe(0);
    await click(link);
    expect(await clicksOf(id)).toBe(1);
  });

  it('is reported for campaign, post, conversation and lead, and to the webhooks', async () => {
    const [receiver, webhook] = [randomUUID(), await storeWebhook(world.owner.organizationId)];
    const { id } = await newCampaign({ webhookUrl: receiverUrl(receiver) });
    const { contentPost } = await ask(
      createContentPost,
      {},
      { socialAccountId: account.id, platform: account.platform, content: 'New engines' },
    );
    const links = await linksFor(newCustomer(), contentPost.platformPostId);
    for (const link of links) {
      await click(link);
    }
    await drainWork('bio-clicks');
    await drainWork();

    const [lead] = await world.leads();
    const [{ id: conversationId }] = await world.conversations(account);
    expect(await clicksOf(id)).toBe(2);
    const { performance } = await ask(getContentPerformance, { post_id: contentPost.id });
    expect(performance.metrics.clicks).toBe(2);
    const metadata = { campaignId: id, conversationId, contentPostId: contentPost.id };
    const activities = await clickActivities();
    for (const to of [url, otherUrl]) {
      expect(activities).toContainEqual(
        expect.objectContaining({
          description: `Followed the link ${to}`,
          metadata: { ...metadata, url: to },
        }),
      );
    }
    const origins = { campaign: id, post: contentPost.id, keyword: 'price' };
    for (const [by, key] of Object.entries(origins)) {
      expect((await ask(getAttribution, {}, undefined, { by })).rows).toMatchObject([
        { key, clicks: 2, conversations: 1, leads: 1 },
      ]);
    }
    const byLink = (await ask(getAttribution, {}, undefined, { by: 'link' })).rows;
    expect(byLink).toMatchObject([
      { key: lead.attribution.link, clicks: 1, conversations: 1, leads: 1 },
      { clicks: 1, conversations: 0, leads: 0 },
    ]);
    expect(byLink.map(({ key }: { key: string }) => key).toSorted()).toEqual([otherUrl, url]);
    for (const name of [receiver, webhook.receiver]) {
      const events = (await receivedEvents(name)).filter(({ type }) => type === 'lead.clicked');
      const data = { campaignId: id, conversationId, leadId: lead.id, lead: { id: lead.id } };
      expect(events).toHaveLength(2);
      expect(events.map((event) => event.data.url).toSorted()).toEqual([otherUrl, url]);
      expect(events[0]?.data).toMatchObject(data);
    }
    const conversation = await storedItems(
      `ORG#${world.owner.organizationId}#CONVERSATION#${conversationId}`,
    );
    expect(conversation.find(({ sk }) => sk === 'CONVERSATION')).toHaveProperty('clickedAt');
  });

  it('adds to the clicks that the network reports', async () => {
    await newCampaign();
    const { contentPost } = await ask(
      createContentPost,
      {},
      { socialAccountId: account.id, platform: account.platform, content: 'New engines' },
    );
    await sandbox
      .network(account.platform)
      .setMetrics(contentPost.platformPostId, { clicks: 5, impressions: 60 });
    const [link = ''] = await linksFor(newCustomer(), contentPost.platformPostId);
    await click(link);
    await drainWork('bio-clicks');

    const { performance } = await ask(getContentPerformance, { post_id: contentPost.id });
    expect(performance.metrics).toMatchObject({ clicks: 6, clickThroughRate: 10 });
  });

  it('still redirects and counts when its lead and campaign were deleted', async () => {
    const { id } = await newCampaign();
    const [link = ''] = await linksFor();
    const [lead] = await world.leads();
    await ask(deleteLead, { lead_id: lead.id });
    await ask(deleteCampaign, { campaign_id: id });

    expect((await click(link)).headers.location).toBe(destination);
    await drainWork();
    const left = await storedItems(`ORG#${world.owner.organizationId}#AI_FIGURES`);
    expect(left.filter(({ sk }) => sk === `CAMPAIGN#${id}`)).toEqual([]);
  });

  it('is part of the export of the contact, and returns 404 after the erasure', async () => {
    const { id } = await newCampaign();
    const [link = '', other = ''] = await linksFor();
    await click(link);
    await drainWork('bio-clicks');
    const [{ contactId }] = await world.leads();
    const exported = JSON.parse(await ask(exportContact, { contact_id: contactId }));
    const links = exported.contents.filter(({ kind }: { kind: string }) => kind === 'LINK');
    expect(links.map((item: Answer['body']) => item.url).toSorted()).toEqual([otherUrl, url]);

    await ask(eraseContact, { contact_id: contactId });
    await drainWork();

    expect((await click(link)).status).toBe(404);
    expect((await click(other)).status).toBe(404);
    expect(await clicksOf(id)).toBe(1);
  });

  it('is removed with the organization', async () => {
    await newCampaign();
    const [link = ''] = await linksFor();
    const [code] = link.split('/').slice(-1);
    expect(await storedItems(`SHORT#${code}`)).toHaveLength(1);
    await ask(deleteOrganization);
    await drainWork();

    expect(await storedItems(`SHORT#${code}`)).toEqual([]);
    expect((await click(link)).status).toBe(404);
  });
});
