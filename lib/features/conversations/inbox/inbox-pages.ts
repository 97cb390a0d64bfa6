import type { Conversation } from '#lib/features/conversations/conversation.ts';
import { readConversations } from '#lib/features/conversations/conversation-entries.ts';
import type { PageRequest } from '#lib/platform/db/lists/cursor.ts';
import type { Page } from '#lib/platform/db/lists/list.ts';
import type { Place } from '#lib/platform/db/lists/sharded-list.ts';
import { badRequest } from '#lib/platform/errors/failures.ts';
import type { ConversationSort } from '#schemas/conversations.ts';
import { filtersOf, matcherOf } from './conversation-filters.ts';
import type { Candidates } from './find-candidates.ts';
import type { Inbox } from './inbox.ts';
import {
  cursorAfter,
  type InboxPlace,
  type InboxStart,
  inboxPlaces,
  isCovered,
  orders,
  startOf,
} from './inbox-order.ts';

export type ConversationPage = {
  readonly items: readonly Conversation[];
  readonly pagination: Omit<Page<never>['pagination'], 'total'> & {
    /** Null if no counter has it and counting is too expensive. */
    readonly total: number | null;
  };
};

/** With 92, 31 rows of each shard are read, which fit into the 8 KB of a read unit. */
const batchSizes: Readonly<Record<ConversationSort, number>> = {
  created: 92,
  lastMessage: 100,
  waiting: 100,
};
/** Limits the reads of a page. A page that has not found enough matches by then is short. */
const recordsReadAtMost = 5 * batchSizes.created;
const rowsReadAtMost = 2_000;

type Found = { readonly place: Place; readonly conversation?: Conversation | undefined };

/** Reads all candidates, and returns a page of the matching ones, with the exact total. */
export async function pickCandidates(
  inbox: Inbox,
  { ids }: Candidates,
  request: PageRequest,
): Promise<ConversationPage> {
  const start = startOf(inbox, request);
  const { placeValueOf, compare } = orders[inbox.sort];
  const places = ids.map((id) => ({ id }));
  const read = await readConversations(inbox.organizationId, places);
  const found = read
    .filter(matcherOf(inbox.filters))
    .map((conversation) => ({
      conversation,
      place: { value: placeValueOf(conversation), id: conversation.id },
    }))
    .toSorted((one, other) => compare(one.place, other.place));
  const { after } = start;
  const rest = after
    ? found.filter(({ place }) => compare(place, after) > 0)
    : found.slice((start.page - 1) * request.limit);

  return pageOf(inbox, start, request, { found: rest, total: found.length });
}

/**
 * Walks through the list in its sort order, and returns a page of the matches. The page is short if
 * too many conversations do not match.
 *
 * @throws 400 if a page by number would read more than one request may.
 */
export async function walkInbox(
  inbox: Inbox,
  candidates: Candidates | undefined,
  request: PageRequest,
  counted: number | null,
): Promise<ConversationPage> {
  const start = startOf(inbox, request);
  const skipped = start.after ? 0 : (start.page - 1) * request.limit;
  const isFiltered = filtersOf(inbox.filters).length > 0;
  const wanted = skipped + request.limit + 1;
  const size = isFiltered ? batchSizes[inbox.sort] : wanted;
  const places = inboxPlaces(inbox, candidates, size, start.after);
  const { found, end } = await walk(inbox, places, size, wanted);
  if (end && skipped > 0 && found.length <= skipped) {
    throw badRequest('page is too high for these filters: continue with cursor instead');
  }
  const isListed = candidates && isCovered(inbox.filters, candidates.matched);
  const all = isListed ? candidates.ids.length : end || start.after ? null : found.length;

  return pageOf(inbox, start, request, {
    found: found.slice(skipped),
    total: counted ?? start.total ?? all,
    end,
  });
}

type Walked = {
  readonly found: readonly Found[];
  /** The position of the last row that was read, if the list continues after it. */
  readonly end?: Place | undefined;
};

async function walk(
  inbox: Inbox,
  places: AsyncGenerator<InboxPlace, void, undefined>,
  size: number,
  wanted: number,
): Promise<Walked> {
  const isFiltered = filtersOf(inbox.filters).length > 0;
  const found: Found[] = [];
  let end: Place | undefined;
  let [rows, records] = [0, 0];
  while (
    found.length < wanted &&
    records < recordsReadAtMost &&
    (rows < rowsReadAtMost || !isFiltered)
  ) {
    const batch = await take(places, size);
    const passing = batch.filter(({ passes }) => passes);
    found.push(...(await findMatching(inbox, passing)));
    if (batch.length < size) {
      return { found };
    }
    rows += batch.length;
    records += passing.filter(({ isDecided }) => !isDecided).length;
    end = batch.at(-1);
  }

  return { found, end };
}

/** Reads the records of conversations whose index rows are not enough to check the filters. */
async function findMatching(
  inbox: Inbox,
  places: readonly InboxPlace[],
): Promise<readonly Found[]> {
  const matching = await readMatching(
    inbox,
    places.filter(({ isDecided }) => !isDecided),
  );

  return places.flatMap((place) => {
    const conversation = matching.get(place.id);

    return place.isDecided || conversation ? [{ place, conversation }] : [];
  });
}

async function readMatching(
  { organizationId, filters }: Inbox,
  places: readonly Place[],
): Promise<ReadonlyMap<string, Conversation>> {
  const read = await readConversations(organizationId, places);

  return new Map(read.filter(matcherOf(filters)).map((one) => [one.id, one]));
}

async function take<Item>(
  source: AsyncGenerator<Item, void, undefined>,
  count: number,
): Promise<readonly Item[]> {
  const items: Item[] = [];
  while (items.length < count) {
    const next = await source.next();
    if (next.done) {
      break;
    }
    items.push(next.value);
  }

  return items;
}

type Result = Walked & { readonly total: number | null };

async function pageOf(
  inbox: Inbox,
  { page }: InboxStart,
  { limit }: PageRequest,
  { found, total, end }: Result,
): Promise<ConversationPage> {
  const shown = found.slice(0, limit);
  const last = found.length > limit ? shown.at(-1)?.place : end;
  const unread = shown.flatMap(({ place, conversation }) => (conversation ? [] : [place]));
  // A row may be older than its record.
  const matching = await readMatching(inbox, unread);

  return {
    items: shown.flatMap(({ place, conversation }) => conversation ?? matching.get(place.id) ?? []),
    pagination: {
      total,
      page,
      limit,
      hasMore: last !== undefined,
      nextCursor: last ? cursorAfter(inbox, last, page, total) : null,
    },
  };
}
