import { encodeCursor, pageStart } from '#lib/platform/db/cursor.ts';
import { conversationIdOf } from '#lib/platform/db/keys/social.ts';
import { keys, ranges } from '#lib/platform/db/keys.ts';
import type { PageRequest } from '#lib/platform/db/list.ts';
import { query } from '#lib/platform/db/read.ts';
import {
  ascending,
  type ComparePlaces,
  descending,
  isUuid,
  type Place,
  placesOf,
  rowsOf,
} from '#lib/platform/db/sharded-list.ts';
import type { ConversationSort } from '#schemas/conversations.ts';
import { waitingSinceOf } from './attention.ts';
import type { Conversation } from './conversation.ts';
import type { ConversationEntry } from './conversation-entries.ts';
import {
  type ConversationFilters,
  type ConversationRow,
  filtersOf,
  indexedFilters,
  isIndexed,
  matcherOf,
  nobody,
} from './conversation-filters.ts';
import type { Candidates } from './find-candidates.ts';

export type Inbox = {
  readonly organizationId: string;
  readonly sort: ConversationSort;
  readonly filters: ConversationFilters;
};

type Order = {
  readonly placeValueOf: (conversation: Conversation) => string;
  readonly compare: ComparePlaces;
};

/** Marks the places of customers who do not wait. Sorts after every time. */
const notWaiting = '~';

const isWaitingPlace = ({ value }: Place) => !value.startsWith(notWaiting);

export const orders: Readonly<Record<ConversationSort, Order>> = {
  created: { placeValueOf: () => '', compare: descending },
  lastMessage: { placeValueOf: ({ lastMessageAt }) => lastMessageAt, compare: descending },
  waiting: {
    placeValueOf: (conversation) =>
      waitingSinceOf(conversation) ?? `${notWaiting}${conversation.lastMessageAt}`,
    compare: (one, other) =>
      isWaitingPlace(one) || isWaitingPlace(other) ? ascending(one, other) : descending(one, other),
  },
};

export type Start = { readonly page: number; readonly after?: Place; readonly total?: number };

/** A place, and the total that later pages repeat. */
type CursorEntry = readonly [value: string, id: string, total: number | null];

/** @throws 400 for an invalid cursor, or one of another order. */
export function startOf({ sort }: Inbox, request: PageRequest): Start {
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
  /** True if the row decides all filters, so that the record need not be read for it. */
  readonly isDecided: boolean;
};

/** Yields the places of the inbox after the given one, in its order, whether they match or not. */
export async function* inboxPlaces(
  inbox: Inbox,
  candidates: Candidates | undefined,
  size: number,
  after: Place | undefined,
): AsyncGenerator<InboxPlace, void, undefined> {
  // Each of the four shards has about a quarter.
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
  const index = { name: 'byLastMessage', attribute: 'lastMessageAt' };
  const list = { organizationId, index, compare: descending, idOf: conversationIdOf };
  const matches = matcherOf(filters);
  for await (const { value, id, row } of placesOf(list, pageSize, after)) {
    yield { value, id, passes: matches(row as ConversationRow), isDecided: true };
  }
}

/** Customers who wait, then the others by their latest message. */
async function* byWaiting(
  inbox: Inbox,
  pageSize: number,
  after: Place | undefined,
): AsyncGenerator<InboxPlace, void, undefined> {
  const { organizationId, filters } = inbox;
  const matches = matcherOf(filters);
  if (!after || isWaitingPlace(after)) {
    const index = { name: 'byWaiting', attribute: 'unansweredSince' };
    const list = { organizationId, index, compare: ascending, idOf: conversationIdOf };
    for await (const { value, id, row } of placesOf(list, pageSize, after)) {
      const passes = waitingSinceOf(row) !== undefined && matches(row as ConversationRow);
      yield { value, id, passes, isDecided: true };
    }
  }
  if (filters.waiting) {
    return;
  }
  const start = after && !isWaitingPlace(after) ? after : undefined;
  const place = start && { value: start.value.slice(notWaiting.length), id: start.id };
  const index = { name: 'byLastMessage', attribute: 'lastMessageAt' };
  const list = { organizationId, index, compare: descending, idOf: conversationIdOf };
  for await (const { value, id, row } of placesOf(list, pageSize, place)) {
    const passes = !waitingSinceOf(row) && matches(row as ConversationRow);
    yield { value: `${notWaiting}${value}`, id, passes, isDecided: true };
  }
}

/** True if the decided filters are all there are. */
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
  const { assignedToId } = filters;
  if (assignedToId !== undefined && assignedToId !== nobody) {
    const isDecided = isCovered(filters, new Set(['assignedToId']));
    for await (const id of assignedIds(organizationId, assignedToId, pageSize, after?.id)) {
      yield { value: '', id, passes: true, isDecided };
    }

    return;
  }
  const field = filtersOf(filters).find(isIndexed);
  const { index, value } = field
    ? { index: indexedFilters[field], value: String(filters[field]) }
    : { index: { name: 'list', attribute: 'list' }, value: 'conversation' };
  for await (const { id } of rowsOf({ organizationId, index, value }, pageSize, {
    before: after?.id,
  })) {
    yield { value: '', id, passes: true, isDecided: false };
  }
}

/** Yields the ids of a member's conversations, newest first. */
async function* assignedIds(
  organizationId: string,
  userId: string,
  pageSize: number,
  before: string | undefined,
): AsyncGenerator<string, void, undefined> {
  const range = ranges.assignments(organizationId, userId);
  let after = before && keys.assignment(organizationId, userId, before).sk;
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
