import { describe, expect, it } from 'vitest';
import * as campaigns from '#schemas/campaigns.ts';
import { keyword, keywordSetup, newOffice, type Office } from './setup.ts';

const world = await keywordSetup();

async function keywordsOf(own: Office) {
  return (await own.ask(campaigns.listCampaignKeywords)).body;
}

describe('a keyword', () => {
  it('is listed by campaign and priority in any script, with the status of its campaign', async () => {
    const own = await newOffice();
    const first = await own.newCampaign({
      name: 'First',
      keywords: [keyword('price', { priority: 2 }), keyword('🔥', { priority: 1 })],
    });
    const second = await own.newCampaign({
      name: 'Second',
      keywords: [keyword('价格', { priority: 9 }), keyword('x'.repeat(200), { priority: 3 })],
    });
    const ended = await own.newCampaign({ keywords: [keyword('over')] });
    await world.updateCampaign(ended.id, { status: 'COMPLETED' }, own);
    const { keywords, total } = await keywordsOf(own);

    expect(total).toBe(5);
    expect(keywords).toMatchObject([
      { campaignId: ended.id, keyword: 'over', status: 'COMPLETED' },
      { campaignId: second.id, campaignName: 'Second', status: 'ACTIVE', priority: 3 },
      { campaignId: second.id, keyword: '价格', priority: 9 },
      { campaignId: first.id, campaignName: 'First', keyword: '🔥', priority: 1 },
      { campaignId: first.id, keyword: 'price', matchType: 'CONTAINS', priority: 2 },
    ]);
  });
});
