import { encodeCursor } from '#lib/platform/db/lists/cursor.ts';
import { listContentPosts } from '#schemas/content.ts';
import type { Contract } from '#schemas/contract.ts';
import { listConversations } from '#schemas/conversations.ts';
import * as leads from '#schemas/leads.ts';
import * as segments from '#schemas/segments.ts';
import type { Driver } from '#scripts/fixtures/world.ts';
import type { FixtureCall } from '../../fixtures/world.ts';
import {
  highValue,
  type SampleTenant,
  samplePeriod,
  sampleTag,
  sampleTime,
  sources,
} from './sample-leads.ts';
import { type InboxTenant, inboxQueries } from './seed-conversations.ts';
import { type CalendarTenant, calendarQueries, growingQueries } from './seed-posts.ts';

type Ask = Driver['call'];

export type Operation = {
  readonly name: string;
  readonly contract: Contract;
  /** Creates the required data and returns the call. */
  readonly prepare: (ask: Ask) => FixtureCall | Promise<FixtureCall>;
};

export type SeededLeads = {
  readonly tenant: SampleTenant;
  /** Oldest first. */
  readonly leadIds: readonly string[];
};

const pageSize = 20;
const farPage = 50;

/** The measured operations on leads. Reads come first because the others change the data. */
export function operationsOnLeads(seeded: SeededLeads): readonly Operation[] {
  return [...metrics(), ...pages(seeded), ...changes(seeded)];
}

function metrics(): readonly Operation[] {
  const contracts: ReadonlyArray<readonly [string, Contract]> = [
    ['statistics', leads.getLeadStats],
    ['analytics: sources', leads.getLeadSourceAnalytics],
    ['analytics: campaigns', leads.getLeadCampaignAnalytics],
    ['analytics: pipeline', leads.getLeadPipelineAnalytics],
  ];

  return contracts.map(([name, contract]) => ({ name, contract, prepare: () => ({}) }));
}

function page(name: string, query: Readonly<Record<string, string>> = {}): Operation {
  return {
    name,
    contract: leads.listLeads,
    prepare: () => ({ query: { limit: String(pageSize), ...query } }),
  };
}

function pages({ tenant, leadIds }: SeededLeads): readonly Operation[] {
  const middleId = leadIds[Math.floor(leadIds.length / 2)] ?? '';
  const filters: Readonly<Record<string, string>> = {
    pipelineId: tenant.pipelineId,
    status: 'NEW',
    stageId: tenant.stageIds[0] ?? '',
    source: sources[0],
    assignedToId: tenant.assigneeIds[0] ?? '',
    socialAccountId: tenant.socialAccountId,
    contentPostId: tenant.contentPostId,
  };
  const isThereFarPage = leadIds.length >= farPage * pageSize;

  return [
    page('first page'),
    ...Object.entries(filters).map(([filter, value]) =>
      page(`first page by ${filter}`, { [filter]: value }),
    ),
    page('first page by status and source', { status: 'NEW', source: sources[0] }),
    page('first page by tag', { tag: sampleTag }),
    page('first page by tag and status', { tag: sampleTag, status: 'NEW' }),
    ...segmentPages(leadIds.length),
    page('page by cursor, halfway', { cursor: encodeCursor({ after: middleId, page: 1 }) }),
    ...(isThereFarPage ? [page(`page ${farPage} by number`, { page: String(farPage) })] : []),
  ];
}

/** Pages of segments, and the segments themselves, which count their leads. */
function segmentPages(size: number): readonly Operation[] {
  const last = { createdAfter: sampleTime(size - 51), createdBefore: sampleTime(size) };
  const filters: Readonly<Record<string, object>> = {
    'tag and status': { tag: sampleTag, status: 'NEW' },
    'status and source': { status: 'NEW', source: sources[0] },
    'the 50 latest': last,
    'the older half': { createdBefore: sampleTime(Math.floor(size / 2)) },
    'a quarter by value': { valueMin: highValue },
    'values that no lead has': { valueMin: highValue + 1 },
  };

  return Object.entries(filters).flatMap(([name, filter]) => {
    const create = async (ask: Ask, of: string) =>
      (await ask(segments.createSegment, { body: { name: `${name}, ${of}`, filter } })).segment.id;

    return [
      {
        name: `first page by segment: ${name}`,
        contract: leads.listLeads,
        prepare: async (ask: Ask) => ({
          query: { limit: String(pageSize), segmentId: await create(ask, 'page') },
        }),
      },
      {
        name: `count of segment: ${name}`,
        contract: segments.getSegment,
        prepare: async (ask: Ask) => ({ params: { segment_id: await create(ask, 'count') } }),
      },
    ];
  });
}

/** The measured pages of the inbox. */
export function operationsOnInbox(inbox: InboxTenant): readonly Operation[] {
  return inboxQueries(inbox).map(([name, query]) => ({
    name: `inbox ${name}`,
    contract: listConversations,
    prepare: () => ({ query: { limit: String(pageSize), ...query } }),
  }));
}

/** The measured pages of posts. */
export function operationsOnPosts(calendar: CalendarTenant): readonly Operation[] {
  return [...calendarQueries(calendar), ...growingQueries(calendar)].map(([name, query]) => ({
    name: `posts: ${name}`,
    contract: listContentPosts,
    prepare: () => ({ query: { limit: String(pageSize), ...query } }),
  }));
}

function changes({ tenant, leadIds }: SeededLeads): readonly Operation[] {
  const leadAt = (index: number) => ({ lead_id: leadIds[index] ?? '' });
  const aboutNewLead = { pipelineId: tenant.pipelineId, source: sources[0], value: 50_000 };
  const contact = { name: 'Ada Lovelace', email: 'ada@example.com', company: 'Analytical Ltd' };

  return [
    { name: 'get', contract: leads.getLead, prepare: () => ({ params: leadAt(0) }) },
    {
      name: 'create with existing contact',
      contract: leads.createLead,
      prepare: async (ask) => {
        const created = await ask(leads.createContact, { body: contact });

        return { body: { ...aboutNewLead, contactId: created.contact.id } };
      },
    },
    {
      name: 'create with new contact',
      contract: leads.createLeadWithContact,
      prepare: () => ({
        body: { ...aboutNewLead, contact: { ...contact, email: 'mary@example.com' } },
      }),
    },
    {
      name: 'update: notes',
      contract: leads.updateLead,
      prepare: () => ({ params: leadAt(0), body: { notes: 'Asked for the price' } }),
    },
    {
      name: 'update: status',
      contract: leads.updateLead,
      prepare: () => ({ params: leadAt(samplePeriod), body: { status: 'QUALIFIED' } }),
    },
    {
      name: 'move',
      contract: leads.moveLeadStage,
      prepare: () => ({
        params: leadAt(2 * samplePeriod),
        body: { stageId: tenant.stageIds[1] ?? '' },
      }),
    },
  ];
}
