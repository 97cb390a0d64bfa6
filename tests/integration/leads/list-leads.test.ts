import * as fc from 'fast-check';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { listLeads, moveLeadStage, updateLead } from '#schemas/leads.ts';
import { startDynamoDbProxy } from '#scripts/dynamodb-proxy/start-dynamodb-proxy.ts';
import type { Answer } from '#tests/support/api.ts';
import { depth } from '#tests/support/depth.ts';
import { callInProcess } from '#tests/support/doomed-call.ts';
import { type LeadSetup, leadSetup } from './setup.ts';

type Row = Readonly<Record<string, string | null>> & { readonly id: string };

const sources = ['website', 'chat', 'referral'];
const stages = ['New', 'Qualified', 'Lost'];
let world: LeadSetup;
let rows: readonly Row[];

/** Seventeen leads across three sources and three stages, some of them assigned. */
beforeAll(async () => {
  world = await leadSetup();
  const made: Row[] = [];
  for (let index = 0; index < 17; index += 1) {
    const { id } = await world.newLead({ source: sources[index % 3] });
    const params = { lead_id: id };
    const stageId = world.stage(stages[index % 2] ?? 'New');
    await world.ask(moveLeadStage, { params, body: { stageId } });
    const assignedToId = index % 4 === 0 ? world.owner.userId : null;
    const { lead } = (await world.ask(updateLead, { params, body: { assignedToId } })).body;
    made.unshift(lead);
  }
  rows = made;
});

function idsOf(leads: readonly { id: string }[]): readonly string[] {
  return leads.map(({ id }) => id);
}

describe('listing leads', () => {
  it('returns leads that match every filter, newest first, with the exact total', async () => {
    const filters = fc.record(
      {
        pipelineId: fc.constant(world.pipeline.id),
        status: fc.constantFrom('NEW', 'QUALIFIED', 'LOST'),
        stageId: fc.constantFrom(...stages.map(world.stage)),
        source: fc.constantFrom(...sources, 'nowhere'),
        assignedToId: fc.constant(world.owner.userId),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(filters, fc.integer({ min: 1, max: 4 }), async (wanted, page) => {
        const expected = rows.filter((row) =>
          Object.entries(wanted).every(([field, value]) => row[field] === value),
        );
        const query = { ...wanted, limit: '5', page: String(page) };
        const { leads, pagination } = (await world.ask(listLeads, { query })).body;
        expect(idsOf(leads)).toEqual(idsOf(expected.slice((page - 1) * 5, page * 5)));
        expect(pagination).toMatchObject({
          total: expected.length,
          page,
          limit: 5,
          hasMore: expected.length > page * 5,
        });
      }),
      { numRuns: depth(40) },
    );
  });

  it.each([{}, { status: 'NEW' }, { source: 'chat', pipelineId: 'own' }])(
    'returns the same leads by cursor and by page: %o',
    async (wanted) => {
      const filters =
        'pipelineId' in wanted ? { ...wanted, pipelineId: world.pipeline.id } : wanted;
      const first = await world.ask(listLeads, { query: { ...filters, limit: '100' } });
      const found: string[] = [];
      let cursor: string | null = null;
      do {
        const query: Record<string, string> = { ...filters, limit: '2' };
        if (cursor) {
          query.cursor = cursor;
        }
        const answer: Answer = await world.ask(listLeads, { query });
        const { leads, pagination } = answer.body;
        found.push(...idsOf(leads));
        cursor = pagination.nextCursor;
      } while (cursor);
      expect(found).toEqual(idsOf(first.body.leads));
    },
  );

  it('rejects a page with a cursor, and an invalid cursor', async () => {
    for (const query of [{ page: '2', cursor: 'x' }, { cursor: 'x' }, { status: 'OLD' }]) {
      expect((await world.ask(listLeads, { query })).status).toBe(400);
    }
  });
});

describe('combining filters in an organization with many leads', () => {
  const many = 70;
  let crowd: LeadSetup;
  let rare: { readonly id: string };

  beforeAll(async () => {
    crowd = await leadSetup();
    rare = await crowd.newLead({ source: 'chat' });
    const moved = await crowd.newLead({ source: 'chat' });
    const body = { stageId: crowd.stage('Lost') };
    await crowd.ask(moveLeadStage, { params: { lead_id: moved.id }, body });
    for (let index = 0; index < many; index += 1) {
      await crowd.newLead({ source: 'website' });
    }
  });

  it('finds the few leads that match one filter among the many that match another', async () => {
    const query = { source: 'chat', status: 'NEW', pipelineId: crowd.pipeline.id };
    const { leads, pagination } = (await crowd.ask(listLeads, { query })).body;
    expect(idsOf(leads)).toEqual([rare.id]);
    expect(pagination).toMatchObject({ total: 1, hasMore: false });
  });

  it('does not read every matching lead', async () => {
    const proxy = await startDynamoDbProxy({ target: String(process.env.DYNAMODB_ENDPOINT) });
    onTestFinished(() => proxy.close());
    const { organizationId, token } = crowd.owner;
    const query = { source: 'website', status: 'NEW', limit: '1' };
    const request = { params: { organization_id: organizationId }, token, query };
    const { readUnits } = await proxy.meter.measure(async () => {
      const { answer } = await callInProcess(listLeads, request, proxy.endpoint);
      expect((await answer)?.statusCode).toBe(200);
    });
    expect(readUnits).toBeGreaterThan(0);
    expect(readUnits).toBeLessThan(many / 2);
  });
});
