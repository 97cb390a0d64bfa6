// In a process of its own: the service is loaded with the address of a proxy
import * as fc from 'fast-check';
import { afterAll, afterEach, expect, test } from 'vitest';
import {
  createLead,
  deleteLead,
  getLeadPipelineAnalytics,
  getLeadSourceAnalytics,
  getLeadStats,
  leadStatuses,
  listLeads,
  moveLeadStage,
  updateLead,
} from '#schemas/leads.ts';
import type { Fault } from '#scripts/dynamodb-proxy/faults.ts';
import { loadDataLayer } from '#tests/integration/db/proxied-db.ts';
import { depth } from '#tests/support/depth.ts';
import { type LeadWorld, leadWorld } from './world.ts';

const { proxy } = await loadDataLayer();
// It loads a part of the service.
const { recount } = await import('#scripts/recount/recount.ts');

afterEach(() => proxy.faults.clear());
afterAll(() => proxy.close());

type Step =
  | { readonly do: 'create'; readonly source: string; readonly value: number }
  | { readonly do: 'move'; readonly lead: number; readonly stage: number }
  | { readonly do: 'status'; readonly lead: number; readonly status: string }
  | { readonly do: 'value'; readonly lead: number; readonly value: number | null }
  | { readonly do: 'assign'; readonly lead: number; readonly assigned: boolean }
  | { readonly do: 'delete'; readonly lead: number };

const lead = fc.nat(5);
const value = fc.nat(100_000);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constant('create' as const),
    source: fc.constantFrom('website', 'chat', 'a#b', 'website#01'),
    value,
  }),
  fc.record({ do: fc.constant('move' as const), lead, stage: fc.nat(4) }),
  fc.record({ do: fc.constant('status' as const), lead, status: fc.constantFrom(...leadStatuses) }),
  fc.record({ do: fc.constant('value' as const), lead, value: fc.option(value) }),
  fc.record({ do: fc.constant('assign' as const), lead, assigned: fc.boolean() }),
  fc.record({ do: fc.constant('delete' as const), lead }),
);

async function take(world: LeadWorld, ids: string[], taken: Step): Promise<number> {
  const { ask, newLead, owner, pipeline } = world;
  if (taken.do === 'create') {
    ids.push((await newLead({ source: taken.source, value: taken.value })).id);

    return 201;
  }
  const params = { lead_id: ids[taken.lead % Math.max(1, ids.length)] ?? owner.userId };
  const answer = {
    move: (s: Step & { do: 'move' }) =>
      ask(moveLeadStage, { params, body: { stageId: pipeline.stages[s.stage]?.id } }),
    status: (s: Step & { do: 'status' }) => ask(updateLead, { params, body: { status: s.status } }),
    value: (s: Step & { do: 'value' }) => ask(updateLead, { params, body: { value: s.value } }),
    assign: (s: Step & { do: 'assign' }) =>
      ask(updateLead, { params, body: { assignedToId: s.assigned ? owner.userId : null } }),
    delete: () => ask(deleteLead, { params }),
  };

  return (await answer[taken.do](taken as never)).status;
}

async function readAll({ ask }: LeadWorld) {
  const { leads } = (await ask(listLeads, { query: { limit: '100' } })).body;
  const { stats } = (await ask(getLeadStats)).body;
  const { sources } = (await ask(getLeadSourceAnalytics)).body;
  const { pipeline } = (await ask(getLeadPipelineAnalytics)).body;

  return { leads, stats, sources, pipeline };
}

function sum(values: readonly (number | null)[]): number {
  return values.reduce<number>((total, amount) => total + (amount ?? 0), 0);
}

/** What a table does to one call of twenty. */
const mishaps: readonly Fault[] = [
  { kind: 'conflict', when: 'before' },
  { kind: 'error', when: 'after' },
  { kind: 'disconnect', when: 'after' },
];

test.each([
  ['undisturbed', []],
  ['where one call of the table in twenty fails, most of them after they took effect', mishaps],
] as const)(
  'after any history of changes, some at once, every figure is what a recount gives: %s',
  async (_, faults) => {
    const organizations: string[] = [];
    for (const fault of faults) {
      proxy.faults.add({ probability: 0.05 / faults.length, fault });
    }
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(step, { maxLength: 5 }), { maxLength: 6 }),
        async (rounds) => {
          const world = await leadWorld();
          organizations.push(world.owner.organizationId);
          const ids: string[] = [];
          for (const round of rounds) {
            const answers = await Promise.all(round.map((taken) => take(world, ids, taken)));
            expect(answers.every((status) => [200, 201, 404, 409].includes(status))).toBe(true);
          }
          const { leads, stats, sources, pipeline } = await readAll(world);
          const countOf = (status: string) =>
            leads.filter((one: { status: string }) => one.status === status).length;
          expect(stats).toMatchObject({
            totalLeads: leads.length,
            newLeads: countOf('NEW'),
            qualifiedLeads: countOf('QUALIFIED'),
            contactedLeads: countOf('CONTACTED'),
            convertedLeads: countOf('CONVERTED'),
            lostLeads: countOf('LOST'),
            totalValue: sum(leads.map((one: { value: number | null }) => one.value)),
          });
          for (const { source, count } of sources) {
            expect(count).toBe(
              leads.filter((one: { source: string }) => one.source === source).length,
            );
          }
          expect(sum(sources.map(({ count }: { count: number }) => count))).toBe(leads.length);
          for (const { id, leadCount } of pipeline.stages) {
            expect(leadCount).toBe(
              leads.filter((one: { stageId: string }) => one.stageId === id).length,
            );
          }
        },
      ),
      { numRuns: depth(6) },
    );
    expect(new Set(proxy.faults.hits().map(({ fault }) => fault.kind)).size).toBe(faults.length);
    proxy.faults.clear();
    const differences = await recount({
      tableName: String(process.env.TABLE_NAME),
      endpoint: process.env.DYNAMODB_ENDPOINT,
    });
    const own = differences.filter(({ key }) => organizations.some((id) => key.pk.includes(id)));
    expect(own).toEqual([]);
  },
  120_000,
);

test('of 50 leads for one contact and pipeline at once, one comes to be', async () => {
  const { ask, newLead, pipeline } = await leadWorld();
  const first = await newLead();
  await ask(deleteLead, { params: { lead_id: first.id } });
  const body = { contactId: first.contactId, pipelineId: pipeline.id, source: 'chat' };
  const answers = await Promise.all(Array.from({ length: 50 }, () => ask(createLead, { body })));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(49);
  expect((await ask(getLeadStats)).body.stats.totalLeads).toBe(1);
});

test('of 50 leads with one new address at once, one contact and one lead come to be', async () => {
  const { ask, newLead } = await leadWorld();
  const contact = { name: 'Mary Somerville', email: 'Mary@Example.com' };
  const outcomes = await Promise.allSettled(Array.from({ length: 50 }, () => newLead({ contact })));
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect((await ask(listLeads)).body.pagination.total).toBe(1);
});
