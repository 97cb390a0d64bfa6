import { describe, expect, it, vi } from 'vitest';
import { activeCampaigns, readCampaignsVersion } from '#lib/features/campaigns/active-campaigns.ts';
import { keywordKey } from '#lib/features/campaigns/keyword-claims.ts';
import { documentClient } from '#lib/platform/db/client.ts';
import { get } from '#lib/platform/db/read.ts';
import * as campaigns from '#schemas/campaigns.ts';
import { storeSocialAccount } from '#scripts/fixtures/social-accounts.ts';
import { atOnce } from '#tests/support/depth.ts';
import { keyword, keywordSetup, newOffice, newWord } from './setup.ts';

const world = await keywordSetup();

describe('a keyword', () => {
  it('is given to only one of many campaigns that claim it concurrently', async () => {
    const word = newWord();
    const many = atOnce(20);
    const answers = await Promise.all(
      Array.from({ length: many }, (_, index) =>
        world.office.create({
          name: `Campaign ${index}`,
          keywords: [keyword(index % 2 === 0 ? word : ` ${word.toUpperCase()} `)],
        }),
      ),
    );
    const winner = answers.find(({ status }) => status === 201)?.body.campaign;
    const losers = answers.filter(({ status }) => status === 409);

    expect(losers).toHaveLength(many - 1);
    for (const { body } of losers) {
      expect(body.message).toBe('Another campaign already uses a keyword');
      expect(body.conflictingCampaign).toEqual({ id: winner.id, name: winner.name });
    }
  });

  it('is rejected in an update if another campaign has it, and the update changes nothing', async () => {
    const [taken, own] = [newWord(), newWord()];
    const holder = await world.office.newCampaign({ name: 'Holder', keywords: [keyword(taken)] });
    const { id } = await world.office.newCampaign({ keywords: [keyword(own)] });
    const refused = await world.updateCampaign(id, {
      name: 'Other',
      keywords: [keyword(newWord()), keyword(taken)],
    });
    const read = await world.office.ask(campaigns.getCampaign, { params: { campaign_id: id } });

    expect(refused.status).toBe(409);
    expect(refused.body.conflictingCampaign).toEqual({ id: holder.id, name: 'Holder' });
    expect(read.body.campaign).toMatchObject({ name: 'Spring sale', keywords: [{ keyword: own }] });
    expect((await world.office.create({ keywords: [keyword(own)] })).status).toBe(409);
  });

  it.each(['COMPLETED', 'ARCHIVED'])(
    'is released when its campaign is %s, which still shows it',
    async (status) => {
      const word = newWord();
      const { id } = await world.office.newCampaign({ keywords: [keyword(word)] });
      const ended = await world.updateCampaign(id, { status });
      const next = await world.office.newCampaign({ keywords: [keyword(word)] });
      await world.updateCampaign(id, { keywords: [keyword(word), keyword(newWord())] });

      expect(ended.body.campaign.keywords).toMatchObject([{ keyword: word }]);
      expect(await get(keywordKey(world.office.organizationId, word))).toMatchObject({
        campaignId: next.id,
      });
      expect(
        (await world.office.ask(campaigns.deleteCampaign, { params: { campaign_id: id } })).status,
      ).toBe(200);
      expect(await get(keywordKey(world.office.organizationId, word))).toBeDefined();
    },
  );

  it('may be longer than a DynamoDB key', async () => {
    const long = 'ﷺ'.repeat(100);

    expect((await world.office.create({ keywords: [keyword(long)] })).status).toBe(201);
    expect((await world.office.create({ keywords: [keyword(long)] })).status).toBe(409);
    expect((await world.office.create({ keywords: [keyword(`${long.slice(1)}x`)] })).status).toBe(
      201,
    );
  });
});

describe('matching keywords', () => {
  it("covers an account's active campaigns and reads nothing while nothing changes", async () => {
    const own = await newOffice();
    const { organizationId } = own;
    const other = await storeSocialAccount(organizationId);
    const matched = async (text: string, accountId = own.account.id) => {
      const matcher = await activeCampaigns(
        organizationId,
        await readCampaignsVersion(organizationId),
      );

      return matcher.matchFor(accountId, text).map(({ campaignId }) => campaignId);
    };
    expect(await matched('What is the price?')).toEqual([]);
    const broad = await own.newCampaign({ keywords: [keyword('price', { priority: 2 })] });
    const exact = await own.newCampaign({
      keywords: [keyword('the price', { priority: 1 })],
      socialAccountIds: [own.account.id, other.id],
    });

    expect(await matched('What is the PRICE?')).toEqual([exact.id, broad.id]);
    expect(await matched('What is the price?', other.id)).toEqual([exact.id]);
    await world.updateCampaign(exact.id, { status: 'PAUSED' }, own);
    expect(await matched('What is the price?')).toEqual([broad.id]);
    await world.updateCampaign(exact.id, { status: 'ACTIVE', socialAccountIds: [other.id] }, own);
    expect(await matched('What is the price?')).toEqual([broad.id]);
    await own.ask(campaigns.deleteCampaign, { params: { campaign_id: broad.id } });
    expect(await matched('What is the price?')).toEqual([]);

    const version = await readCampaignsVersion(organizationId);
    const send = vi.spyOn(documentClient, 'send');
    await world.updateCampaign(exact.id, { name: 'Another name' }, own);
    expect(await readCampaignsVersion(organizationId)).toBe(version);
    send.mockClear();
    const again = await activeCampaigns(organizationId, version);
    expect(again.match('the price')).toHaveLength(1);
    expect(send).not.toHaveBeenCalled();
    send.mockRestore();
  });

  it('covers no account if the campaign has none', async () => {
    const own = await newOffice();
    const { organizationId, account } = own;
    const agentConfigs = [{ channel: 'COMMENT', promptTemplateId: await own.newTemplate() }];
    const nowhere = { socialAccountIds: [], agentConfigs };
    await own.newCampaign({ ...nowhere, keywords: [keyword('price')] });
    const { id } = await own.newCampaign({ ...nowhere, keywords: [keyword('cost')] });
    await world.updateCampaign(id, { status: 'PAUSED' }, own);

    const matcher = await activeCampaigns(
      organizationId,
      await readCampaignsVersion(organizationId),
    );

    expect(matcher.match('the price')).toHaveLength(1);
    expect(matcher.matchFor(account.id, 'the price')).toEqual([]);
    expect(matcher.matchesPaused(account.id, 'the cost')).toBe(false);
    expect(matcher.listensOn(account.id, 'COMMENT')).toBe(false);
  });
});

describe('the agents of active campaigns', () => {
  it('are current, with and without keywords', async () => {
    const own = await newOffice();
    const [first, second] = [await own.newTemplate(), await own.newTemplate()];
    const agentOf = (promptTemplateId: string) => [{ channel: 'COMMENT', promptTemplateId }];
    const templates = async () => {
      const version = await readCampaignsVersion(own.organizationId);
      const { agentConfigs } = await activeCampaigns(own.organizationId, version);

      return agentConfigs.map(({ promptTemplateId }) => promptTemplateId).toSorted();
    };
    expect(await templates()).toEqual([]);
    const silent = await own.newCampaign({ agentConfigs: agentOf(first) });
    expect(await templates()).toEqual([first]);

    await own.newCampaign({ keywords: [keyword(newWord())], agentConfigs: agentOf(second) });
    expect(await templates()).toEqual([first, second].toSorted());
    await world.updateCampaign(silent.id, { agentConfigs: agentOf(second) }, own);
    expect(await templates()).toEqual([second, second]);
    await world.updateCampaign(silent.id, { status: 'PAUSED' }, own);
    expect(await templates()).toEqual([second]);
  });
});
