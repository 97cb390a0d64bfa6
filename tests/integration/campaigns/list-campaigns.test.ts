import { describe, expect, it } from 'vitest';
import * as campaigns from '#schemas/campaigns.ts';
import { createPipeline } from '#schemas/leads.ts';
import { storeSocialAccount } from '#scripts/fixtures/social-accounts.ts';
import { newOffice, unknownId } from './setup.ts';

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
});
