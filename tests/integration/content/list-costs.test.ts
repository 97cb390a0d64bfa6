import { beforeAll, describe, expect, it } from 'vitest';
import { listPosts } from '#lib/features/content/listing/list-posts.ts';
import { planDate } from '#lib/features/content/posts/post-writes.ts';
import { documentClient } from '#lib/platform/db/client.ts';
import { newId } from '#lib/platform/ids.ts';
import { listContentPosts } from '#schemas/content.ts';
import { putAll } from '#scripts/bench/data/seed-items.ts';
import {
  type CalendarTenant,
  calendarQueries,
  growingQueries,
  newCalendarTenant,
  postsInMonth,
  samplePost,
  seedPosts,
} from '#scripts/bench/data/seed-posts.ts';
import { metered } from '#tests/support/metered.ts';

const sizes = { small: 300, large: 1_500 };
/** A shard of the index can contain a row more or less. */
const mostMore = 2;
/** Counting 6,000 rows, or 500 texts and their rows, and 20 posts. */
const mostOfPage = 560;
const few = newCalendarTenant(newId());
const many = newCalendarTenant(newId());
const countless = newCalendarTenant(newId());

beforeAll(async () => {
  await seedPosts(documentClient, few, sizes.small);
  await seedPosts(documentClient, many, sizes.large);
  // The pages of this organization are not read, only its dates.
  const rows = Array.from({ length: 6_500 }, (_, index) => planDate(samplePost(countless, index)));
  await putAll(
    documentClient,
    rows.map(({ item, key }) => ({ ...item, ...key })),
  );
});

type Query = Readonly<Record<string, string>>;

function pageOf({ organizationId }: CalendarTenant, query: Query) {
  const { page, limit, cursor, includeLiveData, ...filters } = listContentPosts.query.parse({
    limit: '20',
    ...query,
  });

  return metered(() => listPosts(organizationId, filters, { page, limit, cursor }));
}

/** Reads the first page, and the second one by cursor. */
async function twoPagesOf(tenant: CalendarTenant, query: Query) {
  const first = await pageOf(tenant, query);
  const { nextCursor: cursor } = first.result.pagination;

  return { first, second: cursor ? await pageOf(tenant, { ...query, cursor }) : undefined };
}

const calendar = calendarQueries(few).map(([name], index) => [name, index] as const);
const growing = growingQueries(few).map(([name], index) => [name, index] as const);

describe('a page of posts', () => {
  it.each(calendar)('costs about the same in a large organization: %s', async (_name, index) => {
    const small = await pageOf(few, calendarQueries(few)[index]?.[1] ?? {});
    const large = await pageOf(many, calendarQueries(many)[index]?.[1] ?? {});
    expect(large.units).toBeLessThanOrEqual(small.units + mostMore);
  });

  it.each(growing)(
    'costs about the same by cursor, and at most a fixed amount: %s',
    async (_name, index) => {
      const small = await twoPagesOf(few, growingQueries(few)[index]?.[1] ?? {});
      const large = await twoPagesOf(many, growingQueries(many)[index]?.[1] ?? {});

      expect(large.first.units).toBeLessThanOrEqual(mostOfPage);
      expect(large.second?.result.items).toHaveLength(20);
      expect(large.second?.units).toBeLessThanOrEqual((small.second?.units ?? 0) + mostMore);
    },
  );

  it('has the exact total of a month on every page, and each post once, latest date first', async () => {
    const month = { dateFrom: '2035-01-01', dateTo: '2035-01-31' };
    const dates: string[] = [];
    const totals = new Set<number | null>();
    let cursor: string | null | undefined;
    do {
      const page = await pageOf(many, { ...month, ...(cursor ? { cursor } : {}) });
      dates.push(...page.result.items.map(({ scheduledAt = '' }) => scheduledAt));
      totals.add(page.result.pagination.total);
      cursor = page.result.pagination.nextCursor;
    } while (cursor);

    expect([...totals]).toEqual([postsInMonth]);
    expect(dates).toHaveLength(postsInMonth);
    expect(dates).toEqual([...new Set(dates)].toSorted().toReversed());
  });
});

describe('a page of a list that is too long to count', () => {
  it.each([{ dateTo: '2035-12-31' }, { tags: 'spring' }, { tags: 'autumn' }])(
    'costs at most a fixed amount and has no total: %o',
    async (query) => {
      const { first, second } = await twoPagesOf(countless, query);

      expect(first.result.pagination).toMatchObject({ total: null, hasMore: true });
      expect(first.units).toBeLessThanOrEqual(mostOfPage);
      expect(second?.result.pagination.total).toBeNull();
      expect(second?.units).toBeLessThanOrEqual(200);
    },
  );

  it('ends after short pages if nothing matches', async () => {
    let pages = 0;
    let cursor: string | null | undefined;
    do {
      const query = { tags: 'autumn', ...(cursor ? { cursor } : {}) };
      const { result } = await pageOf(countless, query);
      expect(result.items).toEqual([]);
      cursor = result.pagination.nextCursor;
      pages += 1;
    } while (cursor);

    expect(pages).toBe(2);
  });

  it('rejects a page by number that one request cannot reach', async () => {
    await expect(pageOf(countless, { tags: 'spring', page: '100' })).rejects.toThrow(
      'page is too high for these filters',
    );
  });
});
