import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Attribution } from '#lib/features/attribution/attribution.ts';
import {
  createLeadWithContact,
  deleteLead,
  eraseContact,
  mergeContacts,
  moveLeadStage,
  updateLead,
} from '#schemas/leads.ts';
import { recount } from '#scripts/operations/recount/recount.ts';
import { freshEmail } from '#tests/support/accounts.ts';
import { depth } from '#tests/support/depth.ts';
import { histories } from '#tests/support/histories.ts';
import { drainWork } from '#tests/support/work.ts';
import { followLink, matchKeyword, parts, recountRows, report } from './attribution-setup.ts';
import { type LeadSetup, leadSetup } from './setup.ts';

const customer = fc.nat(4);
const step = fc.oneof(
  fc.record({
    do: fc.constant('match' as const),
    customer,
    campaign: fc.nat(1),
    keyword: fc.constantFrom('price', 'delivery'),
    platform: fc.constantFrom('FACEBOOK' as const, 'INSTAGRAM' as const),
  }),
  fc.record({
    do: fc.constant('click' as const),
    customer,
    url: fc.constantFrom('https://example.com/a', 'https://example.com/b'),
  }),
  fc.record({ do: fc.constant('create' as const) }),
  fc.record({
    do: fc.constant('convert' as const),
    customer,
    status: fc.constantFrom('CONVERTED', 'LOST', 'NEW'),
    value: fc.option(fc.nat(1_000)),
  }),
  fc.record({ do: fc.constant('move' as const), customer, stage: fc.nat(4) }),
  fc.record({ do: fc.constant('merge' as const), customer, into: customer }),
  fc.record({ do: fc.constantFrom('delete' as const, 'erase' as const), customer }),
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

type Known = { readonly conversationId: string; readonly leadId: string; contactId: string };

/** Customers by number, and their state after their first message. */
type History = {
  readonly world: LeadSetup;
  readonly known: Map<number, Known>;
  readonly clicks: Attribution[];
};

async function match({ world, known }: History, taken: Step & { readonly do: 'match' }) {
  const former = known.get(taken.customer);
  const { keyword, platform } = taken;
  const campaign = { id: campaigns[taken.campaign] ?? '', pipelineId: world.pipeline.id };
  const match = { campaign, keyword, platform };
  const {
    id,
    leadId = '',
    leadContactId: contactId = '',
  } = await matchKeyword(world, match, former?.conversationId);
  known.set(taken.customer, { conversationId: id, leadId, contactId });
}

const campaigns = [randomUUID(), randomUUID()];

async function take(history: History, taken: Step): Promise<void> {
  const { world, known } = history;
  if (taken.do === 'match') {
    return match(history, taken);
  }
  if (taken.do === 'create') {
    const contact = { name: 'Ada', email: freshEmail('ada') };
    const body = { contact, pipelineId: world.pipeline.id, source: 'website', value: 5 };
    await world.ask(createLeadWithContact, { body });

    return;
  }
  const found = known.get(taken.customer);
  if (!found) {
    return;
  }
  const ofLead = { params: { lead_id: found.leadId } };
  const ofContact = { params: { contact_id: found.contactId } };
  switch (taken.do) {
    case 'click':
      history.clicks.push(await followLink(world, found, taken.url));
      break;
    case 'convert':
      await world.ask(updateLead, {
        ...ofLead,
        body: { status: taken.status, value: taken.value },
      });
      break;
    case 'move':
      await world.ask(moveLeadStage, {
        ...ofLead,
        body: { stageId: world.pipeline.stages[taken.stage]?.id },
      });
      break;
    case 'delete':
      await world.ask(deleteLead, ofLead);
      break;
    case 'erase':
      known.delete(taken.customer);
      await world.ask(eraseContact, ofContact);
      await drainWork();
      break;
    case 'merge': {
      const duplicateId = known.get(taken.into)?.contactId;
      await world.ask(mergeContacts, { ...ofContact, body: { duplicateId } });
    }
  }
}

it('the attribution report equals a recount of leads and conversations after random changes, by every part', async () => {
  await fc.assert(
    fc.asyncProperty(histories(step, 15), async (rounds) => {
      const history: History = { world: await leadSetup(), known: new Map(), clicks: [] };
      for (const taken of rounds.flat()) {
        await take(history, taken).catch((failure: Error) => {
          // A customer who was erased together with another one no longer has a conversation.
          expect(failure.message).toContain('Conversation not found');
        });
      }
      for (const by of parts) {
        const rows = (await report(history.world, { by })).map(({ name: _, ...row }) => row);
        const counted = await recountRows(history.world, by, history.clicks);
        expect(new Set(rows)).toEqual(new Set(counted));
      }
      const tableName = process.env.TABLE_NAME ?? '';
      expect(await recount({ tableName, endpoint: process.env.DYNAMODB_ENDPOINT })).toEqual([]);
    }),
    { numRuns: depth(3) },
  );
});
