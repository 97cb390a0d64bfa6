import {
  counted,
  readConversationCount,
} from '#lib/features/conversations/conversation-counters.ts';
import type { ConversationEntry } from '#lib/features/conversations/conversation-entries.ts';
import type { KeyRange } from '#lib/platform/db/keys/key.ts';
import { leadKeys, leadRanges } from '#lib/platform/db/keys/leads.ts';
import { socialRanges } from '#lib/platform/db/keys/social.ts';
import { allRowsOf } from '#lib/platform/db/lists/sharded-list.ts';
import { get, query } from '#lib/platform/db/read.ts';
import { wordsOf } from '#lib/platform/words.ts';
import {
  type ConversationFilters,
  countFiltered,
  filtersOf,
  type IndexedFilter,
  indexedFilters,
  isIndexed,
  nobody,
} from './conversation-filters.ts';
import type { Inbox } from './inbox.ts';

const readAtLeast = 25;
const readAtMost = 500;
/** Entries are small: 30 of them cost one read unit. */
const entriesReadAtMost = 1_000;
/** Reading an index row costs about a sixteenth of reading a record. */
const rowsPerRecord = 16;

/** Returns ids that include all matches of a filter. Undefined if there are more than `most`. */
type Source = {
  readonly field: keyof ConversationFilters;
  readonly read: (most: number) => Promise<readonly string[] | undefined>;
};

export type Candidates = {
  readonly ids: readonly string[];
  /** The filters that all candidates match, except for concurrent changes. */
  readonly matched: ReadonlySet<string>;
};

/**
 * Returns the ids of conversations that include all matches, if a filter matches only few. Reading
 * these costs less than walking through the list until a page is full.
 */
export async function findCandidates(
  { organizationId, sort, filters }: Inbox,
  limit: number,
): Promise<Candidates | undefined> {
  const sources = sourcesOf(organizationId, filters);
  if (sources.length === 0) {
    return undefined;
  }
  const most = sort === 'created' ? entriesReadAtMost : await worthReading(organizationId, limit);
  const found = await Promise.all(
    sources.map(async ({ field, read }) => ({ field, ids: await read(most) })),
  );
  const complete = found.flatMap(({ ids }) => (ids ? [new Set(ids)] : []));
  const [first, ...others] = complete;
  if (!first) {
    return undefined;
  }
  const incomplete = found.filter(({ ids }) => !ids).map(({ field }) => field);
  const read = found.map(({ field }) => field).filter((field) => !incomplete.includes(field));

  return {
    ids: [...first].filter((id) => others.every((ids) => ids.has(id))),
    matched: new Set(read.filter((field) => field !== 'leadId')),
  };
}

/** Of n matches among `total`, a walk reads about limit * total / n index rows. */
async function worthReading(organizationId: string, limit: number): Promise<number> {
  const total = await readConversationCount(organizationId, counted.all);
  const worthwhile = Math.floor(Math.sqrt((limit * total) / rowsPerRecord));

  return Math.max(readAtLeast, Math.min(readAtMost, worthwhile));
}

function sourcesOf(organizationId: string, filters: ConversationFilters): readonly Source[] {
  const { assignedToId, contactId, leadId, search, unanswered } = filters;
  const words = [...new Set(wordsOf(search ?? ''))];

  return [
    ...(contactId
      ? [{ field: 'contactId' as const, read: ofContact(organizationId, contactId) }]
      : []),
    ...(leadId ? [{ field: 'leadId' as const, read: ofLead(organizationId, leadId) }] : []),
    ...(unanswered
      ? [
          {
            field: 'unanswered' as const,
            read: ofRange(socialRanges.unansweredConversations(organizationId)),
          },
        ]
      : []),
    ...(search !== undefined && words.length === 0
      ? [{ field: 'search' as const, read: async () => [] }]
      : []),
    ...words.map((word) => ({
      field: 'search' as const,
      read: ofRange(socialRanges.conversationWords(organizationId, word)),
    })),
    ...(assignedToId && assignedToId !== nobody
      ? [
          {
            field: 'assignedToId' as const,
            read: ofRange(socialRanges.assignments(organizationId, assignedToId)),
          },
        ]
      : []),
    ...filtersOf(filters)
      .filter(isIndexed)
      .map((field) => ({ field, read: ofIndex(organizationId, field, String(filters[field])) })),
  ];
}

function ofIndex(organizationId: string, field: IndexedFilter, value: string): Source['read'] {
  return async (most) => {
    const count = await countFiltered(organizationId, field, value);
    const by = { index: indexedFilters[field], value };
    const list = { organizationId, kind: 'conversation', by } as const;

    return count !== null && count <= most
      ? (await allRowsOf(list)).map(({ id }) => id)
      : undefined;
  };
}

function ofRange(range: KeyRange): Source['read'] {
  return async (most) => {
    const entries = await query<ConversationEntry>(range, { limit: most + 1 });

    return entries.length > most ? undefined : entries.map(({ conversationId }) => conversationId);
  };
}

function ofContact(organizationId: string, contactId: string): Source['read'] {
  return ofRange(leadRanges.contactConversations(organizationId, contactId));
}

/** The conversations of a lead are among those of its contact. A deleted lead has no entries. */
function ofLead(organizationId: string, leadId: string): Source['read'] {
  return async (most) => {
    const lead = await get<{ contactId: string }>(leadKeys.lead(organizationId, leadId));

    return lead && ofContact(organizationId, lead.contactId)(most);
  };
}
