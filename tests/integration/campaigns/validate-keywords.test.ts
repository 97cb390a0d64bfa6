import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { recordInbound } from '#lib/features/conversations/inbound/record-inbound.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { newId } from '#lib/platform/ids.ts';
import * as campaigns from '#schemas/campaigns.ts';
import { deleteOrganization } from '#schemas/organizations.ts';
import { newMember } from '#tests/support/accounts.ts';
import { storedItems } from '#tests/support/table.ts';
import { drainWork } from '#tests/support/work.ts';
import { keyword, keywordSetup, newOffice, newWord } from './setup.ts';

const world = await keywordSetup();

async function validate(keywords: readonly object[], own = world.office, more: object = {}) {
  const { body } = await own.ask(campaigns.validateKeywords, { body: { keywords, ...more } });

  return body.validation;
}

describe('validating keywords', () => {
  it('is allowed for a viewer, and accepts new keywords', async () => {
    const viewer = await newMember(world.office.owner, 'VIEWER');
    const { status, body } = await world.office.ask(campaigns.validateKeywords, {
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
    const { id, name } = await world.office.newCampaign({ keywords: [keyword(taken)] });
    const written = `#${taken.toUpperCase()}!\u200B`;
    const given = [keyword(written), keyword(twice), keyword(` “${twice}”`)];
    const { valid, conflicts } = await validate(given);

    expect(valid).toBe(false);
    expect(conflicts).toEqual([
      {
        keyword: written,
        matchType: 'CONTAINS',
        type: 'USED_BY_CAMPAIGN',
        conflictingCampaign: { id, name },
      },
      {
        keyword: ` “${twice}”`.trim(),
        matchType: 'CONTAINS',
        type: 'DUPLICATE',
        conflictingCampaign: null,
      },
    ]);
    expect((await validate([keyword(taken)], world.office, { campaignId: id })).valid).toBe(true);
    const empty = await world.office.ask(campaigns.validateKeywords, {
      body: { keywords: [keyword('\u{FE0F}\u{200B}')] },
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
