import { type Conversation, waitingSinceOf } from '#lib/features/conversations/conversation.ts';
import type { ConversationEntry } from '#lib/features/conversations/conversation-entries.ts';
import type { Key, KeyRange } from '#lib/platform/db/keys/key.ts';
import { socialKeys, socialRanges } from '#lib/platform/db/keys/social.ts';
import { encodeCursor, type PageRequest, pageStart } from '#lib/platform/db/lists/cursor.ts';
import {
  ascending,
  type ComparePlaces,
  descending,
  isUuid,
  type Place,
  placesOf,
  rowsOf,
  type SortedList,
} from '#lib/platform/db/lists/sharded-list.ts';
import { query } from '#lib/platform/db/read.ts';
import type { ConversationSort } from '#schemas/conversations.ts';
import {
  type ConversationFilters,
  type ConversationRow,
  filtersOf,
  isIndexed,
  listBy,
  matcherOf,
  nobody,
} from './conversation-filters.ts';
import type { Candidates } from './find-candidates.ts';
import type { Inbox } from './inbox.ts';

type Order = {
  readonly placeValueOf: (conversation: Conversation) => string;
  readonly compare: ComparePlaces;
};

/** Marks the positions of customers who do not wait. Sorts after every time. */
const notWaiting = '~';

const isWaitingPlace = ({ value }: Place) => !value.startsWith(notWaiting);

export const orders: Readonly<Record<ConversationSort, Order>> = {
  created: { placeValueOf: () => '', compare: descending },
  lastMessage: { placeValueOf: ({ rank }) => timeOfRank(rank), compare: descending },
  waiting: {
    placeValueOf: (conversation) =>
      waitingSinceOf(conversation) ?? `${notWaiting}${timeOfRank(conversation.rank)}`,
    compare: (one, other) =>
      isWaitingPlace(one) || isWaitingPlace(other) ? ascending(one, other) : descending(one, other),
  },
};

function timeOfRank(rank: unknown): string {
  return new Date(Number(rank)).toISOString();
}

const lastMessageOrder = {
  index: { name: 'byRank', attribute: 'rank', toPlace: timeOfRank, fromPlace: Date.parse },
  compare: descending,
};

const waitingOrder = {
  index: {
    name: 'byWaiting',
    attribute: 'unansweredSince',
    toPlace: String,
    fromPlace: String,
  },
  compare: ascending,
};

const sortedBy = (
  organizationId: string,
  order: typeof lastMessageOrder | typeof waitingOrder,
): SortedList => ({ organizationId, kind: 'conversation', ...order });

export type InboxStart = { readonly page: number; readonly after?: Place; readonly total?: number };

/** A position, and the total, which later pages repeat. */
type CursorEntry = readonly [value: string, id: string, total: number | null];

/** @throws 400 for an invalid cursor, or a cursor of another sort order. */
export function startOf({ sort }: Inbox, request: PageRequest): InboxStart {
  const { page, after } = pageStart(request, isCursorEntry, sort);
  if (!after) {
    return { page };
  }
  const [value, id, total] = after;

  return { page, after: { value, id }, ...(total === null ? {} : { total }) };
}

export function cursorAfter(
  { sort }: Inbox,
  { value, id }: Place,
  page: number,
  total: number | null,
): string {
  return encodeCursor({ after: [value, id, total] satisfies CursorEntry, page }, sort);
}

const placeValue = /^(~?\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z)?$/;

function isCursorEntry(entry: unknown): entry is CursorEntry {
  if (!Array.isArray(entry) || entry.length !== 3) {
    return false;
  }
  const [value, id, total] = entry;
  const isTotal = total === null || (Number.isSafeInteger(total) && total >= 0);

  return typeof value === 'string' && placeValue.test(value) && isUuid(id) && isTotal;
}

export type InboxPlace = Place & {
  /** False if the index row does not match. */
  readonly passes: boolean;
  /** True if the row is enough to check all filters, so the record need not be read. */
  readonly isDecided: boolean;
};

/** Index rows contain the values of all filters except one, for which the record must be read. */
function rowFilterOf({ unanswered, ...filters }: ConversationFilters) {
  const matches = matcherOf(filters);

  return (row: ConversationRow) => ({ passes: matches(row), isDecided: unanswered === undefined });
}

/**
 * Yields the positions of the inbox after the given one, in its sort order, whether they match or
 * not.
 */
export async function* inboxPlaces(
  inbox: Inbox,
  candidates: Candidates | undefined,
  size: number,
  after: Place | undefined,
): AsyncGenerator<InboxPlace, void, undefined> {
  // Each of the four shards has about a quarter of the rows.
  const pageSize = Math.ceil(size / 4) + 8;
  if (inbox.sort === 'lastMessage') {
    yield* byLastMessage(inbox, pageSize, after);
  } else if (inbox.sort === 'waiting') {
    yield* byWaiting(inbox, pageSize, after);
  } else if (candidates) {
    yield* amongCandidates(inbox, candidates, after);
  } else {
    yield* byCreation(inbox, pageSize, after);
  }
}

async function* byLastMessage(
  { organizationId, filters }: Inbox,
  pageSize: number,
  after: Place | undefined,
): AsyncGenerator<InboxPlace, void, undefined> {
  const list = sortedBy(organizationId, lastMessageOrder);
  const decide = rowFilterOf(filters);
  for await (const { value, id, row } of placesOf(list, pageSize, after)) {
    yield { value, id, ...decide(row) };
  }
}

/** First customers who wait, then the others by their latest message. */
async function* byWaiting(
  inbox: Inbox,
  pageSize: number,
  after: Place | undefined,
): AsyncGenerator<InboxPlace, void, undefined> {
  const { organizationId, filters } = inbox;
  const decide = rowFilterOf(filters);
  if (!after || isWaitingPlace(after)) {
    const list = sortedBy(organizationId, waitingOrder);
    for await (const { value, id, row } of placesOf(list, pageSize, after)) {
      const { passes, isDecided } = decide(row);
      yield { value, id, passes: passes && waitingSinceOf(row) !== undefined, isDecided };
    }
  }
  if (filters.waiting) {
    return;
  }
  const start = after && !isWaitingPlace(after) ? after : undefined;
  const place = start && { value: start.value.slice(notWaiting.length), id: start.id };
  const list = sortedBy(organizationId, lastMessageOrder);
  for await (const { value, id, row } of placesOf(list, pageSize, place)) {
    const { passes, isDecided } = decide(row);
    yield { value: `${notWaiting}${value}`, id, passes: passes && !waitingSinceOf(row), isDecided };
  }
}

/** True if the row is enough to check all of the given filters. */
export function isCovered(filters: ConversationFilters, decided: ReadonlySet<string>): boolean {
  return filtersOf(filters).every((field) => decided.has(field));
}

async function* amongCandidates(
  { filters }: Inbox,
  { ids, matched }: Candidates,
  after: Place | undefined,
): AsyncGenerator<InboxPlace, void, undefined> {
  const isDecided = isCovered(filters, matched);
  const places = ids.map((id) => ({ value: '', id })).toSorted(descending);
  for (const place of places) {
    if (!after || descending(place, after) > 0) {
      yield { ...place, passes: true, isDecided };
    }
  }
}

async function* byCreation(
  { organizationId, filters }: Inbox,
  pageSize: number,
  after: Place | undefined,
): AsyncGenerator<InboxPlace, void, undefined> {
  const listing = listingOf(organizationId, filters);
  if (listing) {
    const isDecided = isCovered(filters, new Set([listing.field]));
    for await (const id of entryIds(listing, pageSize, after?.id)) {
      yield { value: '', id, passes: true, isDecided };
    }

    return;
  }
  const list = listBy(organizationId, filters, filtersOf(filters).find(isIndexed));
  for await (const { id } of rowsOf(list, pageSize, { before: after?.id })) {
    yield { value: '', id, passes: true, isDecided: false };
  }
}

/** A list of entries whose keys end with the ids of all conversations that match a filter. */
type Listing = {
  readonly field: keyof ConversationFilters;
  readonly range: KeyRange;
  readonly keyOf: (conversationId: string) => Key;
};

function listingOf(
  organizationId: string,
  { assignedToId, unanswered }: ConversationFilters,
): Listing | undefined {
  if (unanswered) {
    return {
      field: 'unanswered',
      range: socialRanges.unansweredConversations(organizationId),
      keyOf: (id) => socialKeys.unansweredConversation(organizationId, id),
    };
  }

  return assignedToId === undefined || assignedToId === nobody
    ? undefined
    : {
        field: 'assignedToId',
        range: socialRanges.assignments(organizationId, assignedToId),
        keyOf: (id) => socialKeys.assignment(organizationId, assignedToId, id),
      };
}

/** Yields the ids of the listed conversations, newest first. */
async function* entryIds(
  { range, keyOf }: Listing,
  pageSize: number,
  before: string | undefined,
): AsyncGenerator<string, void, undefined> {
  let after = before && keyOf(before).sk;
  for (;;) {
    const page = await query<ConversationEntry>(range, {
      newestFirst: true,
      limit: pageSize,
      ...(after ? { after } : {}),
    });
    yield* page.map(({ conversationId }) => conversationId);
    after = page.at(-1)?.sk;
    if (page.length < pageSize) {
      return;
    }
  }
}
