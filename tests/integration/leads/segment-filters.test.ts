import * as fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { wantedLeads } from '#lib/features/leads/lead-filters.ts';
import { filteredLeads } from '#lib/features/leads/list-leads.ts';
import { minuteMs, setClock } from '#lib/platform/clock.ts';
import { countFilteredItems } from '#lib/platform/db/lists/filtered-list.ts';
import { forgetLastId } from '#lib/platform/ids.ts';
import { exportLeads, listLeads, updateLead } from '#schemas/leads.ts';
import { getSegment, listSegments } from '#schemas/segments.ts';
import { depth } from '#tests/support/depth.ts';
import { type LeadSetup, leadSetup, matcherOf, newSegment } from './setup.ts';

const startMs = Date.parse('2026-01-05T09:00:00.000Z');
const sources = ['website', 'chat', 'referral'];
const statuses = ['NEW', 'QUALIFIED', 'LOST'] as const;
const tags = ['vip', 'new', 'a,b#c/d'];
const values = [null, 0, 100, 100, 5_000];
const times = [0, 1, 3, 7, 12, 20].map((minutes) =>
  new Date(startMs + minutes * minuteMs).toISOString(),
);

let world: LeadSetup;
// biome-ignore lint/suspicious/noExplicitAny: leads of responses
let leads: readonly any[];

/** 24 leads, one a minute, with combinations of all values. */
beforeAll(async () => {
  world = await leadSetup();
  const made: unknown[] = [];
  for (let index = 0; index < 24; index += 1) {
    setClock(() => startMs + index * minuteMs);
    forgetLastId();
    const { id } = await world.newLead({
      source: sources[index % 3],
      value: values[index % 5],
      tags: tags.filter((_, bit) => (index >> bit) % 2 === 1),
    });
    const body = {
      status: statuses[(index >> 1) % 3],
      assignedToId: index % 4 === 0 ? world.owner.userId : null,
    };
    made.unshift((await world.ask(updateLead, { params: { lead_id: id }, body })).body.lead);
  }
  leads = made;
  setClock();
});

const filters = () =>
  fc.record(
    {
      status: fc.constantFrom(...statuses),
      pipelineId: fc.constantFrom(world.pipeline.id, crypto.randomUUID()),
      stageId: fc.constant(world.stage('New')),
      source: fc.constantFrom(...sources, 'nowhere'),
      assignedToId: fc.constant(world.owner.userId),
      tag: fc.constantFrom(...tags),
      campaignId: fc.constant(crypto.randomUUID()),
      createdAfter: fc.constantFrom(...times),
      createdBefore: fc.constantFrom(...times),
      valueMin: fc.constantFrom(0, 1, 100, 101, 5_000),
      valueMax: fc.constantFrom(0, 99, 100, 5_000),
    },
    { requiredKeys: [] },
  );

const fewFilters = () =>
  filters().map(({ campaignId: _, ...filter }) =>
    Object.fromEntries(Object.entries(filter).slice(0, 3)),
  );

const valueRanges = () => fc.record({ valueMin: fc.constantFrom(0, 100, 101) });
const budgets = fc.integer({ min: 0, max: 60 });

async function listAll(query: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const found: string[] = [];
  let cursor: string | null = null;
  do {
    const page = await world.ask(listLeads, {
      query: { ...query, limit: '7', ...(cursor ? { cursor } : {}) },
    });
    found.push(...page.body.leads.map(({ id }: { readonly id: string }) => id));
    cursor = page.body.pagination.nextCursor;
  } while (cursor);

  return found;
}

describe('the leads of a segment', () => {
  it('are the leads that match its filter, on all pages, in its count and in the export', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(filters(), fewFilters()), async (filter) => {
        const expected = leads.filter(matcherOf(filter)).map(({ id }) => id);
        const segment = await newSegment(world, filter);
        expect(segment).toMatchObject({ filter, count: expected.length, isCountExact: true });
        expect(await listAll({ segmentId: segment.id })).toEqual(expected);
        const first = await world.ask(listLeads, { query: { segmentId: segment.id, limit: '5' } });
        expect(first.body.pagination.total).toBe(expected.length);
        const csv = (await world.ask(exportLeads, { query: { segmentId: segment.id } })).body;
        const rows = String(csv).trim().split('\r\n').slice(1);
        expect(rows.map((row) => row.split(',')[0]?.replaceAll('"', ''))).toEqual(expected);
      }),
      { numRuns: depth(40) },
    );
  });

  it('are never overcounted, and counted exactly unless the budget runs out', async () => {
    const { organizationId } = world.owner;
    await fc.assert(
      fc.asyncProperty(fc.oneof(fewFilters(), valueRanges()), budgets, async (filter, left) => {
        const expected = leads.filter(matcherOf(filter)).length;
        const wanted = wantedLeads(organizationId, {}, filter);
        const counting =
          wanted && countFilteredItems(filteredLeads(organizationId), wanted, { left });
        const { count, isCountExact } = (await counting) ?? { count: 0, isCountExact: true };
        expect(count).toBeLessThanOrEqual(expected);
        expect(count === expected || !isCountExact).toBe(true);
      }),
      { numRuns: depth(40) },
    );
  });

  it('are counted without reading rows if there is at most one condition on a field', async () => {
    const { organizationId, userId: assignedToId } = world.owner;
    const [status, source, tag] = [statuses[0], sources[0], tags[0]];
    const { id: pipelineId } = world.pipeline;
    const stageId = world.stage('New');
    for (const filter of [
      {},
      ...[{ status }, { source }, { tag }, { pipelineId }, { stageId }, { assignedToId }],
    ]) {
      const wanted = wantedLeads(organizationId, {}, filter);
      const count = leads.filter(matcherOf(filter)).length;

      expect(
        wanted && (await countFilteredItems(filteredLeads(organizationId), wanted, { left: 0 })),
      ).toEqual({ count, isCountExact: true });
    }
  });

  it('can be filtered further', async () => {
    const segment = await newSegment(world, { status: 'NEW', tag: 'vip', valueMin: 1 });
    for (const filter of [{ tag: 'new' }, { source: 'chat' }, { status: 'LOST' }]) {
      const expected = leads
        .filter(matcherOf(segment.filter))
        .filter(matcherOf(filter))
        .map(({ id }) => id);
      expect(await listAll({ segmentId: segment.id, ...filter })).toEqual(expected);
    }
  });

  it('are all leads if it has no conditions', async () => {
    const { id, count } = await newSegment(world, {});
    expect(count).toBe(leads.length);
    expect(await listAll({ segmentId: id })).toEqual(leads.map((lead) => lead.id));
  });

  it('are the same in the list of segments', async () => {
    const listed = (await world.ask(listSegments)).body.segments;
    for (const { filter, count } of listed) {
      expect(count).toBe(leads.filter(matcherOf(filter)).length);
    }
  });

  it("return the same 404 for an unknown segment and for another organization's segment", async () => {
    const other = await leadSetup();
    const foreign = await newSegment(other, {});
    for (const contract of [listLeads, exportLeads]) {
      const answers = await Promise.all(
        [foreign.id, crypto.randomUUID()].map((segmentId) =>
          world.ask(contract, { query: { segmentId } }),
        ),
      );
      expect(answers.map(({ status }) => status)).toEqual([404, 404]);
      expect(answers[0]?.body.message).toEqual(answers[1]?.body.message);
    }
  });
});

describe('leads that change while a segment is read', () => {
  it('are on at most one page', async () => {
    const changing = await leadSetup();
    const ids: string[] = [];
    for (let index = 0; index < 12; index += 1) {
      ids.push((await changing.newLead({ tags: ['vip'], value: 10 })).id);
    }
    const { id: segmentId } = await newSegment(changing, {
      tag: 'vip',
      valueMin: 1,
      status: 'NEW',
    });
    const toggle = async (lead_id: string) => {
      for (const status of ['LOST', 'NEW', 'LOST', 'NEW']) {
        await changing.ask(updateLead, { params: { lead_id }, body: { status } });
      }
    };
    const changes = Promise.all(ids.slice(0, 6).map(toggle));
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const query: Record<string, string> = {
        segmentId,
        limit: '2',
        ...(cursor ? { cursor } : {}),
      };
      const { body } = await changing.ask(listLeads, { query });
      seen.push(...body.leads.map(({ id }: { readonly id: string }) => id));
      cursor = body.pagination.nextCursor;
    } while (cursor);
    await changes;
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toEqual(expect.arrayContaining(ids.slice(6)));
    const after = await changing.ask(getSegment, { params: { segment_id: segmentId } });
    expect(after.body.segment.count).toBe(12);
  });
});
