import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { activeCampaigns, readCampaignsVersion } from '#lib/features/campaigns/active-campaigns.ts';
import { keywordKey } from '#lib/features/campaigns/keyword-claims.ts';
import { recordInbound } from '#lib/features/social/conversations/record-inbound.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { documentClient } from '#lib/platform/db/client.ts';
import { get } from '#lib/platform/db/read.ts';
import { newId } from '#lib/platform/ids.ts';
import * as campaigns from '#schemas/campaigns.ts';
import { deleteOrganization } from '#schemas/organizations.ts';
import { newMember } from '#tests/support/accounts.ts';
import { atOnce } from '#tests/support/depth.ts';
import { storeSocialAccount } from '#tests/support/social-accounts.ts';
import { storedItems } from '#tests/support/table.ts';
import { drainWork } from '#tests/support/work.ts';
import { keyword, newOffice, newWord, type Office } from './world.ts';

let office: Office;

beforeAll(async () => {
  office = await newOffice();
});

function patch(campaignId: string, body: object, own = office) {
  return own.ask(campaigns.updateCampaign, { params: { campaign_id: campaignId }, body });
}

async function validate(keywords: readonly object[], own = office, more: object = {}) {
  const { body } = await own.ask(campaigns.validateKeywords, { body: { keywords, ...more } });

  return body.validation;
}

async function keywordsOf(own: Office) {
  return (await own.ask(campaigns.listCampaignKeywords)).body;
}

describe('a keyword', () => {
  it('is given to one of many campaigns that claim it concurrently', async () => {
    const word = newWord();
    const many = atOnce(20);
    const answers = await Promise.all(
      Array.from({ length: many }, (_, index) =>
        office.create({
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

  it('of another campaign is also rejected in an update, which then changes nothing', async () => {
    const [taken, own] = [newWord(), newWord()];
    const holder = await office.newCampaign({ name: 'Holder', keywords: [keyword(taken)] });
    const { id } = await office.newCampaign({ keywords: [keyword(own)] });
    const refused = await patch(id, {
      name: 'Other',
      keywords: [keyword(newWord()), keyword(taken)],
    });
    const read = await office.ask(campaigns.getCampaign, { params: { campaign_id: id } });

    expect(refused.status).toBe(409);
    expect(refused.body.conflictingCampaign).toEqual({ id: holder.id, name: 'Holder' });
    expect(read.body.campaign).toMatchObject({ name: 'Spring sale', keywords: [{ keyword: own }] });
    expect((await office.create({ keywords: [keyword(own)] })).status).toBe(409);
  });

  it.each(['COMPLETED', 'ARCHIVED'])(
    'is released when its campaign is %s, which still shows it',
    async (status) => {
      const word = newWord();
      const { id } = await office.newCampaign({ keywords: [keyword(word)] });
      const ended = await patch(id, { status });
      const next = await office.newCampaign({ keywords: [keyword(word)] });
      await patch(id, { keywords: [keyword(word), keyword(newWord())] });

      expect(ended.body.campaign.keywords).toMatchObject([{ keyword: word }]);
      expect(await get(keywordKey(office.organizationId, word))).toMatchObject({
        campaignId: next.id,
      });
      expect(
        (await office.ask(campaigns.deleteCampaign, { params: { campaign_id: id } })).status,
      ).toBe(200);
      expect(await get(keywordKey(office.organizationId, word))).toBeDefined();
    },
  );

  it('may be longer than a DynamoDB key', async () => {
    const long = 'ﷺ'.repeat(100);

    expect((await office.create({ keywords: [keyword(long)] })).status).toBe(201);
    expect((await office.create({ keywords: [keyword(long)] })).status).toBe(409);
    expect((await office.create({ keywords: [keyword(`${long.slice(1)}x`)] })).status).toBe(201);
  });

  it('is listed by campaign and priority in any script while its campaign lasts', async () => {
    const own = await newOffice();
    const first = await own.newCampaign({
      name: 'First',
      keywords: [keyword('price', { priority: 2 }), keyword('🔥', { priority: 1 })],
    });
    const second = await own.newCampaign({
      name: 'Second',
      keywords: [keyword('价格', { priority: 9 }), keyword('x'.repeat(200), { priority: 3 })],
    });
    const ended = await own.newCampaign({ keywords: [keyword('gone')] });
    await patch(ended.id, { status: 'COMPLETED' }, own);
    const { keywords, total } = await keywordsOf(own);

    expect(total).toBe(4);
    expect(keywords).toMatchObject([
      { campaignId: second.id, campaignName: 'Second', priority: 3 },
      { campaignId: second.id, keyword: '价格', priority: 9 },
      { campaignId: first.id, campaignName: 'First', keyword: '🔥', priority: 1 },
      { campaignId: first.id, keyword: 'price', matchType: 'CONTAINS', priority: 2 },
    ]);
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
    await patch(exact.id, { status: 'PAUSED' }, own);
    expect(await matched('What is the price?')).toEqual([broad.id]);
    await patch(exact.id, { status: 'ACTIVE', socialAccountIds: [other.id] }, own);
    expect(await matched('What is the price?')).toEqual([broad.id]);
    await own.ask(campaigns.deleteCampaign, { params: { campaign_id: broad.id } });
    expect(await matched('What is the price?')).toEqual([]);

    const version = await readCampaignsVersion(organizationId);
    const send = vi.spyOn(documentClient, 'send');
    await patch(exact.id, { name: 'Another name' }, own);
    expect(await readCampaignsVersion(organizationId)).toBe(version);
    send.mockClear();
    const again = await activeCampaigns(organizationId, version);
    expect(again.match('the price')).toHaveLength(1);
    expect(send).not.toHaveBeenCalled();
    send.mockRestore();
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
    await patch(silent.id, { agentConfigs: agentOf(second) }, own);
    expect(await templates()).toEqual([second, second]);
    await patch(silent.id, { status: 'PAUSED' }, own);
    expect(await templates()).toEqual([second]);
  });
});

describe('validating keywords', () => {
  it('is allowed for a viewer, and accepts new keywords', async () => {
    const viewer = await newMember(office.owner, 'VIEWER');
    const { status, body } = await office.ask(campaigns.validateKeywords, {
      token: viewer.token,
      body: {
        keywords: [keyword(newWord()), keyword(newWord(), { matchType: 'EXACT' })],
      },
    });

    expect(status).toBe(200);
    expect(body.validation).toEqual({
      valid: true,
      conflicts: [],
      suggestions: [],
      statistics: { totalKeywords: 2, exactMatches: 1, containsMatches: 1, estimatedCoverage: 0 },
    });
  });

  it('reports keywords of another campaign and duplicates', async () => {
    const [taken, twice] = [newWord(), newWord()];
    const { id, name } = await office.newCampaign({ keywords: [keyword(taken)] });
    const given = [keyword(taken.toUpperCase()), keyword(twice), keyword(` ${twice}`)];
    const { valid, conflicts } = await validate(given);

    expect(valid).toBe(false);
    expect(conflicts).toEqual([
      {
        keyword: taken.toUpperCase(),
        matchType: 'CONTAINS',
        type: 'USED_BY_CAMPAIGN',
        conflictingCampaign: { id, name },
      },
      { keyword: twice, matchType: 'CONTAINS', type: 'DUPLICATE', conflictingCampaign: null },
    ]);
    expect((await validate([keyword(taken)], office, { campaignId: id })).valid).toBe(true);
    const empty = await office.ask(campaigns.validateKeywords, {
      body: { keywords: [keyword('\u{FE0F}')] },
    });
    expect(empty.body.message).toEqual(['keywords.0.keyword should not be empty']);
  });

  it('reports keywords that never win or that match almost anything', async () => {
    const own = await newOffice();
    await own.newCampaign({ name: 'Broad', keywords: [keyword('engine', { priority: 1 })] });
    const { valid, suggestions } = await validate(
      [
        keyword('price', { priority: 2 }),
        keyword('full price', { priority: 3 }),
        keyword('best price', { priority: 1 }),
        keyword('an engine', { priority: 2 }),
        keyword('art', { priority: 1 }),
        keyword('ask', { priority: 1, matchType: 'EXACT' }),
      ],
      own,
    );

    expect(valid).toBe(true);
    expect(
      suggestions.map((found: { keyword: string; type: string }) => [found.keyword, found.type]),
    ).toEqual([
      ['full price', 'SHADOWED'],
      ['an engine', 'SHADOWED'],
      ['art', 'SUBSTRING_RISK'],
    ]);
    expect(suggestions[1].suggestion).toContain('"Broad"');
  });

  it('returns the share of customer messages that the keywords would have matched', async () => {
    const own = await newOffice();
    const texts = ['The price?', 'what PRICE', 'Hello', 'price', 'x'];
    for (const [index, text] of texts.entries()) {
      const event = {
        eventId: randomUUID(),
        type: 'message' as const,
        channel: 'DIRECT_MESSAGE' as const,
        platformUserId: own.account.platformUserId,
        from: { id: `customer-${index % 2}`, name: 'Charles' },
        to: undefined,
        messageId: randomUUID(),
        text,
        occurredAt: timestamp(),
        isEcho: false,
      };
      const messageId = newId();
      await recordInbound(own.account, event, messageId);
      await recordInbound(own.account, event, messageId);
    }
    const coverage = async (...keywords: readonly object[]) =>
      (await validate(keywords, own)).statistics.estimatedCoverage;

    expect(await coverage(keyword('price'))).toBe(60);
    expect(await coverage(keyword('price', { matchType: 'EXACT' }))).toBe(20);
    expect(await coverage(keyword('price'), keyword('hello'))).toBe(80);
    const inOrganization = { organization_id: own.organizationId };
    await own.ask(deleteOrganization, { params: inOrganization });
    await drainWork();
    const left = JSON.stringify(await storedItems());
    expect(left).not.toContain(`ORG#${own.organizationId}#INBOUND_TEXTS`);
  });
});
