// Runs in a separate process: the service is loaded with the address of a proxy
import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as fc from 'fast-check';
import { afterAll, afterEach, expect, test } from 'vitest';
import type { Contract } from '#schemas/contract.ts';
import {
  createLead,
  createLeadWithContact,
  deleteContact,
  deleteLead,
  getContact,
  getLeadPipelineAnalytics,
  getLeadSourceAnalytics,
  getLeadStats,
  leadStatuses,
  listLeads,
  mergeContacts,
  moveLeadStage,
  updateContact,
  updateLead,
} from '#schemas/leads.ts';
import type { Fault } from '#scripts/dynamodb-proxy/faults.ts';
import { loadDataLayer } from '#tests/integration/db/proxied-db.ts';
import { freshEmail } from '#tests/support/accounts.ts';
import type { Answer, CallInput } from '#tests/support/api.ts';
import { depth } from '#tests/support/depth.ts';
import { histories } from '#tests/support/histories.ts';
import { storedItems } from '#tests/support/table.ts';
import { type LeadSetup, leadSetup } from './setup.ts';

/** Bypasses the proxy. */
const client = DynamoDBDocumentClient.from(
  new DynamoDBClient({ endpoint: String(process.env.DYNAMODB_ENDPOINT) }),
);
const { proxy } = await loadDataLayer();
// Imported after the proxy is set up, because they load parts of the service.
const { recount } = await import('#scripts/operations/recount/recount.ts');
const { measureBusyPipeline, partitionLimit } = await import(
  '#scripts/bench/data/measure-busy-pipeline.ts'
);
const { brokenMarkers } = await import('#tests/support/unique-markers.ts');

afterEach(() => proxy.faults.clear());
afterAll(async () => {
  client.destroy();
  await proxy.close();
});

type Step =
  | {
      readonly do: 'create';
      readonly source: string;
      readonly value: number;
      readonly sent: number;
    }
  | { readonly do: 'repeat' | 'drop'; readonly lead: number }
  | { readonly do: 'move'; readonly lead: number; readonly stage: number; readonly sent: number }
  | { readonly do: 'status'; readonly lead: number; readonly status: string }
  | { readonly do: 'value'; readonly lead: number; readonly value: number | null }
  | { readonly do: 'assign'; readonly lead: number; readonly assigned: boolean }
  | { readonly do: 'delete'; readonly lead: number; readonly sent: number }
  | { readonly do: 'address'; readonly lead: number; readonly address: number }
  | { readonly do: 'merge'; readonly lead: number; readonly into: number };

const lead = fc.nat(5);
const value = fc.nat(100_000);
/** How often a request is sent concurrently. A POST uses the same Idempotency-Key each time. */
const sent = fc.integer({ min: 1, max: 2 });
const createStep = fc.record({
  do: fc.constant('create' as const),
  source: fc.constantFrom('website', 'chat', 'a#b', 'website#01'),
  value,
  sent,
});
const moveStep = fc.record({ do: fc.constant('move' as const), lead, stage: fc.nat(4), sent });
const deleteStep = fc.record({ do: fc.constant('delete' as const), lead, sent });
const otherStep = fc.oneof(
  fc.record({ do: fc.constantFrom('repeat' as const, 'drop' as const), lead }),
  fc.record({ do: fc.constant('status' as const), lead, status: fc.constantFrom(...leadStatuses) }),
  fc.record({ do: fc.constant('value' as const), lead, value: fc.option(value) }),
  fc.record({ do: fc.constant('assign' as const), lead, assigned: fc.boolean() }),
  fc.record({ do: fc.constant('address' as const), lead, address: fc.nat(3) }),
  fc.record({ do: fc.constant('merge' as const), lead, into: lead }),
);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: createStep },
  { weight: 2, arbitrary: moveStep },
  { weight: 1, arbitrary: deleteStep },
  { weight: 3, arbitrary: otherStep },
);

type Made = { readonly id: string; readonly contactId: string };

/** Sends the requests of a step and adds created leads to `made`. */
function sendStep(world: LeadSetup, made: Made[], taken: Step): readonly Promise<Answer>[] {
  const { ask, owner, pipeline } = world;
  const nobody = { id: owner.userId, contactId: owner.userId };
  const pick = (index: number) => made[index % Math.max(1, made.length)] ?? nobody;
  const create = async (contract: Contract, options: CallInput) => {
    const answer = await ask(contract, options);
    if (answer.status === 201) {
      made.push(answer.body.lead);
    }

    return answer;
  };
  const times = (count: number, send: (headers: Record<string, string>) => Promise<Answer>) => {
    const headers = { 'idempotency-key': randomUUID() };

    return Array.from({ length: count }, () => send(headers));
  };
  if (taken.do === 'create') {
    const contact = { name: 'Charles Babbage', email: freshEmail('charles') };
    const { source, value } = taken;
    const body = { contact, pipelineId: pipeline.id, source, value };

    return times(taken.sent, (headers) => create(createLeadWithContact, { body, headers }));
  }
  const { id, contactId } = pick(taken.lead);
  const ofLead = { params: { lead_id: id } };
  const ofContact = { params: { contact_id: contactId } };
  const change = (body: object) => [ask(updateLead, { ...ofLead, body })];
  switch (taken.do) {
    case 'repeat':
      return [create(createLead, { body: { contactId, pipelineId: pipeline.id, source: 'chat' } })];
    case 'drop':
      return [ask(deleteContact, ofContact)];
    case 'move': {
      const body = { stageId: pipeline.stages[taken.stage]?.id };

      return times(taken.sent, (headers) => ask(moveLeadStage, { ...ofLead, body, headers }));
    }
    case 'status':
      return change({ status: taken.status });
    case 'value':
      return change({ value: taken.value });
    case 'assign':
      return change({ assignedToId: taken.assigned ? owner.userId : null });
    case 'delete':
      return times(taken.sent, () => ask(deleteLead, ofLead));
    case 'address': {
      const email = `${taken.address}@${taken.address < 2 ? 'example.com' : 'facebook.invalid'}`;

      return [ask(updateContact, { ...ofContact, body: { email } })];
    }
    case 'merge': {
      const duplicateId = pick(taken.into).contactId;

      return duplicateId === contactId
        ? [ask(getContact, ofContact)]
        : [ask(mergeContacts, { ...ofContact, body: { duplicateId } })];
    }
  }
}

async function readAll({ ask }: LeadSetup) {
  const list = async (filters: Readonly<Record<string, string>>) =>
    (await ask(listLeads, { query: { ...filters, limit: '100' } })).body.leads;
  const { stats } = (await ask(getLeadStats)).body;
  const { sources } = (await ask(getLeadSourceAnalytics)).body;
  const { pipeline } = (await ask(getLeadPipelineAnalytics)).body;

  return {
    leads: await list({}),
    some: await list({ status: 'NEW', source: 'website' }),
    stats,
    sources,
    pipeline,
  };
}

/** Expects the same results when DynamoDB returns short pages and unprocessed batch items. */
async function expectSameByPieces(world: LeadSetup, whole: object): Promise<void> {
  const ends = [
    proxy.faults.add({ fault: { kind: 'page', size: 3 } }),
    proxy.faults.add({ probability: 0.5, fault: { kind: 'unprocessed', count: 3 } }),
  ];
  try {
    expect(await readAll(world)).toEqual(whole);
  } finally {
    for (const end of ends) {
      end();
    }
  }
}

function sum(values: readonly (number | null)[]): number {
  return values.reduce<number>((total, amount) => total + (amount ?? 0), 0);
}

/** Expects the statistics to match the listed leads. */
async function expectExactStatistics(world: LeadSetup): Promise<void> {
  const whole = await readAll(world);
  const { leads, some, stats, sources, pipeline } = whole;
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
    expect(count).toBe(leads.filter((one: { source: string }) => one.source === source).length);
  }
  expect(sum(sources.map(({ count }: { count: number }) => count))).toBe(leads.length);
  for (const { id, leadCount } of pipeline.stages) {
    expect(leadCount).toBe(leads.filter((one: { stageId: string }) => one.stageId === id).length);
  }
  expect(some).toEqual(
    leads.filter(
      (one: { status: string; source: string }) => one.status === 'NEW' && one.source === 'website',
    ),
  );
  await expectSameByPieces(world, whole);
}

/** Faults that DynamoDB may cause. */
const faultKinds: readonly Fault[] = [
  { kind: 'conflict', when: 'before' },
  { kind: 'error', when: 'after' },
  { kind: 'disconnect', when: 'after' },
];

/** Number of histories, each with at least this many changes. A full run makes 10,000. */
const numRuns = depth(1, 400);
const minChanges = 25;

test.each([
  ['undisturbed', []],
  ['with one in twenty DynamoDB calls failing, most of them after taking effect', faultKinds],
] as const)(
  'all lead statistics match a recount after random changes, some concurrent and some repeated: %s',
  async (_, faults) => {
    let changes = 0;
    for (const [index, fault] of faults.entries()) {
      proxy.faults.add({ probability: 0.05 / faults.length, fault });
      proxy.faults.add({ nth: 20 * (index + 1), fault });
    }
    await fc.assert(
      fc.asyncProperty(histories(step, minChanges), async (rounds) => {
        const world = await leadSetup();
        const made: Made[] = [];
        for (const round of rounds) {
          const answers = await Promise.all(round.flatMap((taken) => sendStep(world, made, taken)));
          changes += answers.length;
          expect(answers.filter(({ status }) => ![200, 201, 404, 409].includes(status))).toEqual(
            [],
          );
        }
        await expectExactStatistics(world);
      }),
      // Limits how long a counterexample is shrunk.
      { numRuns },
    );

    expect(changes).toBeGreaterThanOrEqual(numRuns * minChanges);
    const struck = proxy.faults.hits().map(({ fault }) => fault.kind);
    expect(struck).toEqual(expect.arrayContaining(['page', ...faults.map(({ kind }) => kind)]));
    proxy.faults.clear();
    const table = {
      tableName: String(process.env.TABLE_NAME),
      endpoint: process.env.DYNAMODB_ENDPOINT,
    };
    expect(await recount(table)).toEqual([]);
    expect(brokenMarkers(await storedItems())).toEqual([]);
  },
);

test("200 lead changes a second stay below DynamoDB's throughput limit for every partition", async () => {
  const loads = await measureBusyPipeline({ client, meter: proxy.meter }, depth(4));
  const used = loads.filter(({ hottest }) => hottest > 0);
  const within = loads.filter(({ hottest }) => hottest <= partitionLimit);

  expect(used).toEqual(loads);
  expect(within).toEqual(loads);
});
