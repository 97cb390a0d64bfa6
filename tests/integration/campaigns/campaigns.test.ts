import { randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { beforeAll, describe, expect, it } from 'vitest';
import { planUsageCount } from '#lib/features/ai/usage.ts';
import { planCampaignEvent } from '#lib/features/campaigns/campaign-events.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { discard, write } from '#lib/platform/db/write.ts';
import { createInteractiveTemplate, deletePromptTemplate } from '#schemas/ai.ts';
import * as campaigns from '#schemas/campaigns.ts';
import {
  convertConversation,
  createLeadWithContact,
  createPipeline,
  deletePipeline,
  updateLead,
} from '#schemas/leads.ts';
import { listAuditLog } from '#schemas/organizations.ts';
import { channels } from '#schemas/platforms.ts';
import { freshEmail, newMember } from '#tests/support/accounts.ts';
import { storeConversation } from '#tests/support/conversations.ts';
import { sandbox } from '#tests/support/mails.ts';
import { storeSocialAccount } from '#tests/support/social-accounts.ts';
import { lastingItems } from '#tests/support/table.ts';
import { storeFailedDelivery } from '#tests/support/webhooks.ts';
import { drainWork } from '#tests/support/work.ts';
import { keyword, newOffice, newWord, type Office } from './world.ts';

const receiver = `${process.env.WEBHOOK_ALLOWED_ORIGINS}/_sandbox/hooks`;
const unknownId = '0192f0c6-5e6f-7798-a9ba-7f8091a2b3c4';

let office: Office;
let templateId: string;

beforeAll(async () => {
  office = await newOffice();
  templateId = await office.newTemplate();
});

function patch(campaignId: string, body: object) {
  return office.ask(campaigns.updateCampaign, { params: { campaign_id: campaignId }, body });
}

function read(campaignId: string) {
  return office.ask(campaigns.getCampaign, { params: { campaign_id: campaignId } });
}

function remove(campaignId: string, token = office.owner.token) {
  return office.ask(campaigns.deleteCampaign, { params: { campaign_id: campaignId }, token });
}

function list(query: Record<string, string>) {
  return office.ask(campaigns.listCampaigns, { query });
}

describe('a campaign', () => {
  it('fits into DynamoDB at its maximum size, even with its stored response', async () => {
    // Each of these characters takes six in JSON.
    const controls = Object.fromEntries(
      Array.from({ length: 20 }, (_, index) => [`v${index + 10}`, '\u0001'.repeat(150)]),
    );
    const valuesOf = (characters: number) => {
      const rest = characters - JSON.stringify({ ...controls, x: '', y: '' }).length;

      return { ...controls, x: '値'.repeat(1_000), y: '値'.repeat(rest - 1_000) };
    };
    const body = (characters: number) => ({
      ...office.parts,
      agentConfigs: channels.map((channel) => ({
        channel,
        promptTemplateId: templateId,
        variables: valuesOf(characters),
      })),
    });
    const send = (characters: number) =>
      office.ask(campaigns.createCampaign, {
        body: body(characters),
        headers: { 'idempotency-key': randomUUID() },
      });

    const [fits, exceeds] = [await send(20_000), await send(20_001)];

    expect(fits.status).toBe(201);
    expect(fits.body.campaign.agentConfigs[2].variables).toEqual(valuesOf(20_000));
    expect(exceeds.status).toBe(400);
    expect(exceeds.body.message).toEqual(
      [0, 1, 2].map(
        (index) => `agentConfigs.${index}.variables must not exceed 20,000 characters as JSON`,
      ),
    );
  });

  it('is active immediately, with an agent that answers without delay', async () => {
    const word = newWord();
    const { status, body } = await office.create({
      description: 'Ten percent off',
      keywords: [keyword(` ${word} `, { priority: 2 })],
      agentConfigs: [{ channel: 'COMMENT', promptTemplateId: templateId }],
      utmCampaign: 'spring',
    });

    expect(status).toBe(201);
    expect(body.campaign).toMatchObject({
      ...office.parts,
      description: 'Ten percent off',
      status: 'ACTIVE',
      keywords: [{ keyword: word, matchType: 'CONTAINS', priority: 2 }],
      agentConfigs: [
        {
          channel: 'COMMENT',
          promptTemplateId: templateId,
          autoResponse: true,
          responseDelay: 0,
          variables: null,
        },
      ],
      utmCampaign: 'spring',
      webhookUrl: null,
      webhookSecret: null,
    });
    expect((await office.newCampaign({ status: 'DRAFT' })).status).toBe('DRAFT');
  });

  it.each([
    [{ pipelineId: unknownId }, 404, "Pipeline not found or you don't have access"],
    [{ socialAccountIds: [unknownId] }, 404, "Social account not found or you don't have access"],
    [
      { agentConfigs: [{ channel: 'COMMENT', promptTemplateId: unknownId }] },
      404,
      "Prompt template not found or you don't have access",
    ],
    [{ platform: 'TWITTER' }, 400, ['socialAccountIds.0 must be an account on TWITTER']],
    [
      { platform: 'MYSPACE' },
      400,
      [
        'platform must be one of the following values: FACEBOOK, INSTAGRAM, TIKTOK, TWITTER, LINKEDIN, YOUTUBE',
      ],
    ],
    [
      { keywords: [keyword('Straße'), keyword('other'), keyword(' STRASSE ')] },
      400,
      ['keywords.2.keyword must not have the same text as keywords.0.keyword'],
    ],
    [{ keywords: [keyword('\u{FE0F}')] }, 400, ['keywords.0.keyword should not be empty']],
    [
      {
        agentConfigs: [
          { channel: 'COMMENT', promptTemplateId: unknownId },
          { channel: 'COMMENT', promptTemplateId: unknownId },
        ],
      },
      400,
      ['agentConfigs must not contain duplicate channels'],
    ],
    [{ webhookUrl: 'https://10.0.0.1/' }, 400, ['webhookUrl must point to a public address']],
    [{ name: 'x' }, 400, ['name must be at least 2 characters']],
  ])('rejects %j', async (body, status, message) => {
    const answer = await office.create(body);

    expect(answer.status).toBe(status);
    expect(answer.body.message).toEqual(message);
  });

  it('can be deleted by an admin, with its keywords and agents', async () => {
    const member = await newMember(office.owner, 'MEMBER');
    const word = newWord();
    const own = await office.newTemplate();
    const { id } = await office.newCampaign({
      keywords: [keyword(word)],
      agentConfigs: ['COMMENT', 'DIRECT_MESSAGE'].map((channel) => ({
        channel,
        promptTemplateId: own,
      })),
    });
    const asTemplate = { params: { template_id: own } };

    expect((await office.ask(deletePromptTemplate, asTemplate)).status).toBe(409);
    expect((await remove(id, member.token)).status).toBe(403);
    expect((await remove(id)).status).toBe(200);
    expect((await read(id)).body.message).toBe("Campaign not found or you don't have access");
    expect((await remove(id)).status).toBe(404);
    expect(JSON.stringify(await lastingItems())).not.toContain(word);
    expect((await office.ask(deletePromptTemplate, asTemplate)).status).toBe(200);
    const { body } = await office.ask(listAuditLog);
    expect(body.entries[0]).toMatchObject({ action: 'campaign.deleted', targetId: id });
  });

  it('keeps its pipeline from being deleted until it uses another one', async () => {
    const body = { name: 'Second' };
    const { pipeline } = (await office.ask(createPipeline, { body })).body;
    const params = { pipeline_id: pipeline.id };
    const { id } = await office.newCampaign({ pipelineId: pipeline.id });
    const refused = await office.ask(deletePipeline, { params });

    expect(refused.body.message).toBe('The pipeline is in use by a campaign');
    expect((await patch(id, { pipelineId: office.parts.pipelineId })).status).toBe(200);
    expect((await office.ask(deletePipeline, { params })).status).toBe(200);
  });
});

describe('updating a campaign', () => {
  it('replaces the given arrays and keeps the others', async () => {
    const [kept, gone, added] = [newWord(), newWord(), newWord()];
    const before = await office.newCampaign({
      keywords: [keyword(kept), keyword(gone)],
      agentConfigs: [{ channel: 'COMMENT', promptTemplateId: templateId }],
    });
    const keywords = [keyword(kept, { matchType: 'EXACT' }), keyword(added, { priority: 3 })];
    const replaced = (await patch(before.id, { keywords })).body.campaign;

    expect(replaced.keywords).toMatchObject(keywords);
    expect(replaced.keywords[0].id).toBe(before.keywords[0].id);
    expect(replaced.agentConfigs).toEqual(before.agentConfigs);
    const emptied = await patch(before.id, {
      keywords: [],
      agentConfigs: [],
      socialAccountIds: [],
      description: null,
    });
    expect(emptied.body.campaign).toMatchObject({
      name: before.name,
      keywords: [],
      agentConfigs: [],
      socialAccountIds: [],
    });
    const others = await office.create({ keywords: [kept, gone, added].map((w) => keyword(w)) });
    expect(others.status).toBe(201);
  });

  it('may keep a disconnected account but not add an unknown one', async () => {
    const { organizationId, account } = office;
    const [gone, foreign] = await Promise.all([
      storeSocialAccount(organizationId),
      storeSocialAccount(organizationId, { platform: 'TWITTER' }),
    ]);
    const { id, socialAccountIds } = await office.newCampaign({
      socialAccountIds: [gone.id, account.id],
    });
    await write(discard(keys.socialAccount(organizationId, gone.id)));
    const same = await patch(id, { socialAccountIds });
    const unknown = await patch(id, { socialAccountIds: [...socialAccountIds, unknownId] });
    const other = await patch(id, { socialAccountIds: [...socialAccountIds, foreign.id] });
    const without = await patch(id, { socialAccountIds: [account.id] });

    expect(same.body.campaign).toMatchObject({ socialAccountIds: [gone.id, account.id] });
    expect(unknown.status).toBe(404);
    expect(other.body.message).toEqual(['socialAccountIds.2 must be an account on FACEBOOK']);
    expect(without.status).toBe(200);
    expect((await patch(id, { socialAccountIds })).status).toBe(404);
  });

  it('replaces 40 keywords and all other fields in one request', async () => {
    const many = () => Array.from({ length: 40 }, () => keyword(newWord()));
    const body = { name: 'Second' };
    const { pipeline } = (await office.ask(createPipeline, { body })).body;
    const agents = async () =>
      Promise.all(
        ['COMMENT', 'DIRECT_MESSAGE', 'POST'].map(async (channel) => ({
          channel,
          promptTemplateId: await office.newTemplate(),
        })),
      );
    const { id } = await office.newCampaign({
      keywords: many(),
      agentConfigs: await agents(),
      webhookUrl: `${receiver}/${randomUUID()}`,
    });
    const answer = await patch(id, {
      keywords: many(),
      agentConfigs: await agents(),
      pipelineId: pipeline.id,
      webhookUrl: `${receiver}/${randomUUID()}`,
    });

    expect(answer.status).toBe(200);
    expect((await read(id)).body.campaign.keywords).toEqual(answer.body.campaign.keywords);
  });

  it('loses nothing in two concurrent updates', async () => {
    const { id } = await office.newCampaign();
    const answers = await Promise.all([
      patch(id, { name: 'Autumn sale' }),
      patch(id, { description: 'Twenty percent off' }),
      patch(id, { keywords: [keyword(newWord())] }),
    ]);

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const { campaign } = (await read(id)).body;
    expect(campaign).toMatchObject({ name: 'Autumn sale', description: 'Twenty percent off' });
    expect(campaign.keywords).toHaveLength(1);
  });

  const statuses = ['DRAFT', 'ACTIVE', 'PAUSED', 'COMPLETED', 'ARCHIVED'] as const;
  const ways: Readonly<Record<string, readonly string[]>> = {
    DRAFT: [],
    ACTIVE: ['ACTIVE'],
    PAUSED: ['ACTIVE', 'PAUSED'],
    COMPLETED: ['ACTIVE', 'COMPLETED'],
    ARCHIVED: ['ARCHIVED'],
  };
  const allowed: Readonly<Record<string, readonly string[]>> = {
    DRAFT: ['DRAFT', 'ACTIVE', 'ARCHIVED'],
    ACTIVE: ['ACTIVE', 'PAUSED', 'COMPLETED', 'ARCHIVED'],
    PAUSED: ['ACTIVE', 'PAUSED', 'COMPLETED', 'ARCHIVED'],
    COMPLETED: ['COMPLETED', 'ARCHIVED'],
    ARCHIVED: ['ARCHIVED'],
  };

  it.each(statuses)('allows only valid status transitions from %s', async (from) => {
    const attempts = statuses.map(async (to) => {
      const { id } = await office.newCampaign({ status: 'DRAFT' });
      for (const status of ways[from] ?? []) {
        await patch(id, { status });
      }

      const { status, body } = await patch(id, { status: to });

      return [to, status === 400 ? body.message : status] as const;
    });
    const outcomes = await Promise.all(attempts);

    expect(outcomes).toEqual(
      statuses.map((to) => [
        to,
        allowed[from]?.includes(to) ? 200 : [`status cannot go from ${from} to ${to}`],
      ]),
    );
  });
});

describe('listing campaigns', () => {
  it('returns exact totals with and without filters', async () => {
    const own = await newOffice();
    const twitter = await storeSocialAccount(own.organizationId, { platform: 'TWITTER' });
    const { pipeline } = (await own.ask(createPipeline, { body: { name: 'Second' } })).body;
    await own.newCampaign({ name: 'ÉTÉ 2026' });
    await own.newCampaign({ description: 'For the été', pipelineId: pipeline.id });
    await own.newCampaign({ platform: 'TWITTER', socialAccountIds: [twitter.id] });
    const archived = await own.newCampaign({ socialAccountIds: [] });
    await own.ask(campaigns.updateCampaign, {
      params: { campaign_id: archived.id },
      body: { status: 'ARCHIVED' },
    });
    const total = async (query: Record<string, string>) =>
      (await own.ask(campaigns.listCampaigns, { query })).body.pagination.total;

    expect(await total({})).toBe(4);
    expect(await total({ search: 'e\u0301te\u0301' })).toBe(2);
    expect(await total({ pipelineId: pipeline.id })).toBe(1);
    expect(await total({ platform: 'TWITTER' })).toBe(1);
    expect(await total({ status: 'ARCHIVED' })).toBe(1);
    expect(await total({ socialAccountIds: `${twitter.id}, ${unknownId}` })).toBe(1);
    expect(await total({ socialAccountIds: `${twitter.id},${own.account.id}` })).toBe(3);
    expect(await total({ socialAccountIds: own.account.id, search: 'ÉTÉ' })).toBe(2);
  });

  it('returns campaigns newest first, page by page', async () => {
    const own = await newOffice();
    for (const name of ['First', 'Second', 'Third']) {
      await own.newCampaign({ name });
    }
    const page = async (query: Record<string, string>) =>
      (await own.ask(campaigns.listCampaigns, { query: { limit: '2', ...query } })).body;
    const first = await page({});
    const second = await page({ cursor: first.pagination.nextCursor });
    const filtered = await page({ status: 'ACTIVE', page: '2' });

    expect(first.campaigns.map(({ name }: { name: string }) => name)).toEqual(['Third', 'Second']);
    expect(second.campaigns.map(({ name }: { name: string }) => name)).toEqual(['First']);
    expect(filtered.campaigns).toEqual(second.campaigns);
  });

  it('rejects invalid account ids', async () => {
    const { status, body } = await list({ socialAccountIds: 'none' });

    expect(status).toBe(400);
    expect(body.message).toEqual(['socialAccountIds.0 must be a valid UUID']);
  });
});

describe('campaign statistics', () => {
  it("count the leads of its conversations, the leads that name it, and its agents' activity", async () => {
    const utmCampaign = randomUUID();
    const { id, pipelineId } = await office.newCampaign({
      utmCampaign,
      agentConfigs: [{ channel: 'COMMENT', promptTemplateId: templateId }],
    });
    const conversation = await storeConversation(office.organizationId, { matchedCampaignId: id });
    const fromConversation = await office.ask(convertConversation, {
      body: { conversationId: conversation.id, pipelineId, source: 'facebook' },
    });
    await office.ask(createLeadWithContact, {
      body: {
        pipelineId,
        contact: { name: 'Ada', email: freshEmail() },
        source: 'website',
        utmCampaign,
      },
    });
    await office.ask(updateLead, {
      params: { lead_id: fromConversation.body.lead.id },
      body: { status: 'CONVERTED' },
    });
    const done = { interactions: 5, uses: 2, responseMs: 3_000 };
    await write(planUsageCount(office.organizationId, 'CAMPAIGN', id, done));
    const listed = (await list({ search: 'Spring' })).body.campaigns;

    expect((await read(id)).body.campaign).toMatchObject({
      leadCount: 2,
      conversionRate: 50,
      totalInteractions: 5,
      averageResponseTime: 1.5,
      agentConfigs: [
        {
          promptTemplate: { id: templateId, content: 'You answer for {{companyName}}.' },
        },
      ],
    });
    expect(listed.find((campaign: { id: string }) => campaign.id === id)).toMatchObject({
      leadCount: 2,
      conversionRate: 50,
    });
  });

  it("name an agent's template of either kind", async () => {
    const variant = await office.ask(createInteractiveTemplate, {
      body: { name: randomUUID(), templateContent: 'Hello' },
    });
    const { id } = await office.newCampaign({
      agentConfigs: [{ channel: 'POST', promptTemplateId: variant.body.interactiveTemplate.id }],
    });

    expect((await read(id)).body.campaign.agentConfigs[0].promptTemplate).toMatchObject({
      id: variant.body.interactiveTemplate.id,
      content: 'Hello',
    });
  });
});

describe("a campaign's webhook", () => {
  it('receives each change, signed with a secret that is returned only when it is set', async () => {
    const [first, second] = [randomUUID(), randomUUID()];
    const made = await office.newCampaign({ webhookUrl: `${receiver}/${first}` });
    const params = { campaign_id: made.id };
    const changed = await patch(made.id, { name: 'Autumn sale' });
    const moved = await patch(made.id, { webhookUrl: `${receiver}/${second}` });
    await drainWork();
    const requests = await sandbox.requests({ service: 'hooks' });
    const sentTo = (name: string) => requests.filter(({ path }) => path.endsWith(name));
    const open = (name: string, secret: string) =>
      sentTo(name).map(({ body, headers }) =>
        new Webhook(secret).verify(body ?? '', headers as Record<string, string>),
      );

    expect(made.webhookSecret).toMatch(/^whsec_/);
    expect(changed.body.campaign.webhookSecret).toBeNull();
    const { webhookSecret } = moved.body.campaign;
    expect(webhookSecret).not.toBe(made.webhookSecret);
    expect([...open(second, webhookSecret)]).toMatchObject([
      { type: 'campaign.updated', data: { campaignId: made.id } },
      { type: 'campaign.updated', data: { campaign: { name: 'Autumn sale' } } },
    ]);
    const deliveries = await office.ask(campaigns.listCampaignDeliveries, { params });
    expect(deliveries.body.pagination.total).toBe(2);
    expect(JSON.stringify([deliveries.body, (await read(made.id)).body])).not.toContain('whsec_');
    const happened = await planCampaignEvent(office.organizationId, made.id, {
      type: 'message.sent',
      data: { channel: 'COMMENT' },
    });
    expect(happened.length).toBeGreaterThan(0);
    await patch(made.id, { webhookUrl: null });
    const afterwards = await planCampaignEvent(office.organizationId, made.id, {
      type: 'message.sent',
      data: { channel: 'COMMENT' },
    });
    expect(afterwards).toEqual([]);
  });

  it('can be sent an event again', async () => {
    const { id } = await office.newCampaign();
    const delivery_id = await storeFailedDelivery(office.organizationId, id);
    const replay = (campaign_id: string) =>
      office.ask(campaigns.replayCampaignDelivery, { params: { campaign_id, delivery_id } });

    expect((await replay(id)).body.delivery).toMatchObject({ id: delivery_id, status: 'PENDING' });
    expect((await replay(id)).status).toBe(409);
    expect((await replay(unknownId)).body.message).toBe(
      "Campaign not found or you don't have access",
    );
    const unknown = await office.ask(campaigns.replayCampaignDelivery, {
      params: { campaign_id: id, delivery_id: unknownId },
    });
    expect(unknown.status).toBe(404);
  });
});
