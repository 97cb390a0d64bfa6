import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { keys } from '#lib/platform/db/keys.ts';
import { discard, write } from '#lib/platform/db/write.ts';
import * as campaigns from '#schemas/campaigns.ts';
import { createPipeline, deletePipeline } from '#schemas/leads.ts';
import { storeSocialAccount } from '#scripts/fixtures/social-accounts.ts';
import { newMember } from '#tests/support/accounts.ts';
import { overtake } from '#tests/support/overtake.ts';
import { campaignSetup, keyword, newWord, unknownId } from './setup.ts';

const receiver = `${process.env.WEBHOOK_ALLOWED_ORIGINS}/_sandbox/hooks`;

const world = await campaignSetup();

describe('a campaign', () => {
  it('keeps its pipeline from being deleted until it uses another one', async () => {
    const body = { name: 'Second' };
    const { pipeline } = (await world.office.ask(createPipeline, { body })).body;
    const params = { pipeline_id: pipeline.id };
    const { id } = await world.office.newCampaign({ pipelineId: pipeline.id });
    const refused = await world.office.ask(deletePipeline, { params });

    expect(refused.body.message).toBe('The pipeline is in use by a campaign or form');
    expect(
      (await world.updateCampaign(id, { pipelineId: world.office.parts.pipelineId })).status,
    ).toBe(200);
    expect((await world.office.ask(deletePipeline, { params })).status).toBe(200);
  });
});

describe('updating a campaign', () => {
  it.each(['update', 'deletion'])(
    'counts its pipeline once if an update overtakes its %s',
    async (slow) => {
      const newPipeline = async (name: string) =>
        (await world.office.ask(createPipeline, { body: { name } })).body.pipeline.id;
      const [first, second] = [await newPipeline(newWord()), await newPipeline(newWord())];
      const { id } = await world.office.newCampaign();
      const begin = () =>
        slow === 'update'
          ? world.updateCampaign(id, { pipelineId: first })
          : world.office.ask(campaigns.deleteCampaign, { params: { campaign_id: id } });
      await overtake({ begin }, () => world.updateCampaign(id, { pipelineId: second }));

      const params = { pipeline_id: second };
      expect((await world.office.ask(deletePipeline, { params })).status).toBe(200);
    },
  );

  it('replaces the given arrays and keeps the others', async () => {
    const [kept, gone, added] = [newWord(), newWord(), newWord()];
    const before = await world.office.newCampaign({
      keywords: [keyword(kept), keyword(gone)],
      agentConfigs: [{ channel: 'COMMENT', promptTemplateId: world.templateId }],
    });
    const keywords = [keyword(kept, { matchType: 'EXACT' }), keyword(added, { priority: 3 })];
    const replaced = (await world.updateCampaign(before.id, { keywords })).body.campaign;

    expect(replaced.keywords).toMatchObject(keywords);
    expect(replaced.keywords[0].id).toBe(before.keywords[0].id);
    expect(replaced.agentConfigs).toEqual(before.agentConfigs);
    const emptied = await world.updateCampaign(before.id, {
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
    const others = await world.office.create({
      keywords: [kept, gone, added].map((w) => keyword(w)),
    });
    expect(others.status).toBe(201);
  });

  it('keeps the private answer that a GET returned, and removes one that is omitted', async () => {
    const { templateId: promptTemplateId } = world;
    const privateReply = {
      text: 'Here are our prices',
      buttons: [{ label: 'See', url: 'https://example.com' }],
    };
    const config = { channel: 'COMMENT', promptTemplateId };
    const { id } = await world.office.newCampaign({ agentConfigs: [{ ...config, privateReply }] });
    const { agentConfigs } = (await world.getCampaign(id)).body.campaign;
    await world.updateCampaign(id, { name: 'Another name' });
    const returned = await world.updateCampaign(id, { agentConfigs });
    const without = await world.updateCampaign(id, { agentConfigs: [config] });

    expect(agentConfigs[0].privateReply).toMatchObject(privateReply);
    expect(returned.body.campaign.agentConfigs[0].privateReply).toEqual(
      agentConfigs[0].privateReply,
    );
    expect(without.body.campaign.agentConfigs[0].privateReply).toBeNull();
  });

  it('may keep a disconnected account but not add an unknown one', async () => {
    const { organizationId, account } = world.office;
    const gone = await storeSocialAccount(organizationId);
    const { id, socialAccountIds } = await world.office.newCampaign({
      socialAccountIds: [gone.id, account.id],
    });
    await write(discard(keys.socialAccount(organizationId, gone.id)));
    const same = await world.updateCampaign(id, { socialAccountIds });
    const unknown = await world.updateCampaign(id, {
      socialAccountIds: [...socialAccountIds, unknownId],
    });
    const without = await world.updateCampaign(id, { socialAccountIds: [account.id] });

    expect(same.body.campaign).toMatchObject({ socialAccountIds: [gone.id, account.id] });
    expect(unknown.status).toBe(404);
    expect(without.status).toBe(200);
    expect((await world.updateCampaign(id, { socialAccountIds })).status).toBe(404);
  });

  it('accepts accounts of any network, and another primary network', async () => {
    const { organizationId, account } = world.office;
    const onX = await storeSocialAccount(organizationId, { platform: 'TWITTER' });
    const { id } = await world.office.newCampaign();
    const answer = await world.updateCampaign(id, {
      platform: 'TWITTER',
      socialAccountIds: [account.id, onX.id],
    });

    expect(answer.body.campaign).toMatchObject({
      platform: 'TWITTER',
      socialAccountIds: [account.id, onX.id],
    });
    const listed = await world.listCampaigns({ platform: 'TWITTER' });
    expect(listed.body.campaigns).toMatchObject([{ id }]);
  });

  it('allows a member to send the webhook back unchanged, but not to change it', async () => {
    const member = await newMember(world.office.owner, 'MEMBER');
    const webhookUrl = `${receiver}/${randomUUID()}`;
    const { id } = await world.office.newCampaign({ webhookUrl });
    const update = (body: object) =>
      world.office.ask(campaigns.updateCampaign, {
        params: { campaign_id: id },
        body,
        token: member.token,
      });

    const same = await update({ name: 'Autumn sale', webhookUrl });
    expect(same.status).toBe(200);
    expect(same.body.campaign).toMatchObject({
      name: 'Autumn sale',
      webhookUrl,
      webhookSecret: null,
    });
    for (const changed of [`${receiver}/${randomUUID()}`, null]) {
      const answer = await update({ name: 'Winter sale', webhookUrl: changed });

      expect([answer.status, answer.body.message]).toEqual([
        403,
        'Insufficient permissions for this operation',
      ]);
    }
    expect((await world.getCampaign(id)).body.campaign).toMatchObject({
      name: 'Autumn sale',
      webhookUrl,
    });
  });

  it('replaces 40 keywords and all other fields in one request', async () => {
    const many = () => Array.from({ length: 40 }, () => keyword(newWord()));
    const body = { name: 'Second' };
    const { pipeline } = (await world.office.ask(createPipeline, { body })).body;
    const agents = async () =>
      Promise.all(
        ['COMMENT', 'DIRECT_MESSAGE', 'POST'].map(async (channel) => ({
          channel,
          promptTemplateId: await world.office.newTemplate(),
        })),
      );
    const { id } = await world.office.newCampaign({
      keywords: many(),
      agentConfigs: await agents(),
      webhookUrl: `${receiver}/${randomUUID()}`,
    });
    const answer = await world.updateCampaign(id, {
      keywords: many(),
      agentConfigs: await agents(),
      pipelineId: pipeline.id,
      webhookUrl: `${receiver}/${randomUUID()}`,
    });

    expect(answer.status).toBe(200);
    expect((await world.getCampaign(id)).body.campaign.keywords).toEqual(
      answer.body.campaign.keywords,
    );
  });

  it('loses nothing in two concurrent updates', async () => {
    const { id } = await world.office.newCampaign();
    const answers = await Promise.all([
      world.updateCampaign(id, { name: 'Autumn sale' }),
      world.updateCampaign(id, { description: 'Twenty percent off' }),
      world.updateCampaign(id, { keywords: [keyword(newWord())] }),
    ]);

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const { campaign } = (await world.getCampaign(id)).body;
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
      const { id } = await world.office.newCampaign({ status: 'DRAFT' });
      for (const status of ways[from] ?? []) {
        await world.updateCampaign(id, { status });
      }

      const { status, body } = await world.updateCampaign(id, { status: to });

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
