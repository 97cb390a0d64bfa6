import type { LedgerEntry } from '#lib/features/billing/ledger/ledger.ts';
import { billingRanges } from '#lib/platform/db/keys/billing.ts';
import { queryPages } from '#lib/platform/db/read.ts';
import { firstIdAt, timeOfId } from '#lib/platform/ids.ts';
import { ledgerTypes } from '#schemas/billing.ts';
import type { TimeRange } from './time-range.ts';

type Pages<Row> = AsyncGenerator<readonly Row[], void, undefined>;

/** The attributes to read. The type is derived from the key, and the time from the id. */
const attributes = ['id', 'credits', 'amountCents', 'description', 'paymentMethod', 'reference'];

/** Yields all entries of a range, newest first, one DynamoDB page at a time. */
export function entriesOfRange(
  organizationId: string,
  { fromMs, untilMs }: TimeRange,
): Pages<LedgerEntry> {
  const [fromId, toId] = [firstIdAt(fromMs), firstIdAt(untilMs)];

  return mergePages(ledgerTypes.map((type) => entriesOfType(organizationId, type, fromId, toId)));
}

async function* entriesOfType(
  organizationId: string,
  type: LedgerEntry['type'],
  fromId: string,
  toId: string,
): Pages<LedgerEntry> {
  const range = billingRanges.ledgerEntries(organizationId, type, fromId, toId);
  const pages = queryPages<Omit<LedgerEntry, 'type' | 'createdAt'>>(range, {
    newestFirst: true,
    attributes,
    limit: 1_000,
  });
  for await (const page of pages) {
    yield page.map((entry) => ({
      ...entry,
      type,
      createdAt: new Date(timeOfId(entry.id)).toISOString(),
    }));
  }
}

/** The read position in one list: the current page and the next index on it. */
type Reader = {
  readonly pages: Pages<LedgerEntry>;
  page: readonly LedgerEntry[];
  next: number;
};

/**
 * Merges lists that are sorted newest first. Yields batches, because awaiting each row would be
 * slower.
 */
async function* mergePages(sources: readonly Pages<LedgerEntry>[]): Pages<LedgerEntry> {
  const readers = await Promise.all(sources.map(startReading));
  let batch: LedgerEntry[] = [];
  for (;;) {
    const reader = newestOf(readers);
    const entry = reader?.page[reader.next];
    if (!reader || !entry) {
      yield batch;

      return;
    }
    batch.push(entry);
    reader.next += 1;
    if (reader.next === reader.page.length) {
      yield batch;
      batch = [];
      await loadNextPage(reader);
    }
  }
}

async function startReading(pages: Pages<LedgerEntry>): Promise<Reader> {
  const reader: Reader = { pages, page: [], next: 0 };
  await loadNextPage(reader);

  return reader;
}

async function loadNextPage(reader: Reader): Promise<void> {
  reader.next = 0;
  do {
    const { done, value } = await reader.pages.next();
    reader.page = done ? [] : value;
    if (done) {
      return;
    }
  } while (reader.page.length === 0);
}

function newestOf(readers: readonly Reader[]): Reader | undefined {
  let newest: Reader | undefined;
  let newestId = '';
  for (const reader of readers) {
    const id = reader.page[reader.next]?.id;
    if (id !== undefined && id > newestId) {
      newest = reader;
      newestId = id;
    }
  }

  return newest;
}
