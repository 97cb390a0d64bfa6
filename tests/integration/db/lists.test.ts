// Runs in a separate process: the service is loaded with the address of a proxy
import { randomUUID } from 'node:crypto';
import * as fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { epochSeconds } from '#lib/platform/clock.ts';
import { ranges } from '#lib/platform/db/keys.ts';
import { depth } from '#tests/support/depth.ts';
import { storeItem } from '#tests/support/table.ts';
import { loadDataLayer } from './proxied-db.ts';

const { proxy, listPage, query } = await loadDataLayer();
const organizationId = randomUUID();
const range = ranges.auditEntries(organizationId);
const total = 37;

type Entry = { readonly index: number };

beforeAll(async () => {
  await Promise.all(
    Array.from({ length: total }, async (_, index) => {
      const at = String(index).padStart(3, '0');
      await storeItem({ pk: range.pk, sk: `AUDIT#${at}`, index });
      // Between each two items, there is an expired one that the table has not removed yet.
      await storeItem({
        pk: range.pk,
        sk: `AUDIT#${at}-expired`,
        index: -1,
        expiresAtSeconds: epochSeconds(-index),
      });
    }),
  );
  await storeItem({ pk: range.pk, sk: 'ATTIC', index: -1 });
  await storeItem({ pk: range.pk, sk: 'AUDIU', index: -1 });
});

afterEach(() => proxy.faults.clear());
afterAll(() => proxy.close());

const newestFirst = Array.from({ length: total }, (_, index) => total - 1 - index);
const page = (request: { page?: number; cursor?: string; limit: number }) =>
  listPage<Entry>(range, request, async () => total);
const indexesOf = ({ items }: { readonly items: readonly Entry[] }) =>
  items.map(({ index }) => index);

describe('a list', () => {
  it('returns each item once, newest first, by cursor, whatever the limit and table page size', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 50 }),
        fc.integer({ min: 1, max: 5 }),
        async (limit, size) => {
          proxy.faults.clear();
          proxy.faults.add({ fault: { kind: 'page', size } });
          const seen: number[] = [];
          let at = await page({ limit });
          seen.push(...indexesOf(at));
          for (let number = 2; at.pagination.nextCursor; number += 1) {
            at = await page({ limit, cursor: at.pagination.nextCursor });
            expect(at.pagination.page).toBe(number);
            seen.push(...indexesOf(at));
          }
          expect(seen).toEqual(newestFirst);
          expect(at.pagination).toMatchObject({ total, hasMore: false, nextCursor: null });
        },
      ),
      { numRuns: depth(4, 80) },
    );
  });

  it('returns the same by page number and by cursor, at any depth', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 20 }),
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 1, max: 4 }),
        async (limit, number, size) => {
          proxy.faults.clear();
          proxy.faults.add({ fault: { kind: 'page', size } });
          const shown = await page({ limit, page: number });
          const start = (number - 1) * limit;

          expect(indexesOf(shown)).toEqual(newestFirst.slice(start, start + limit));
          expect(shown.pagination.hasMore).toBe(start + limit < total);
          expect(shown.pagination).toMatchObject({ total, page: number, limit });
        },
      ),
      { numRuns: depth(8, 200) },
    );
  });

  it('reads key ranges that contain only its own items', async () => {
    const items = await query<Entry>(range);

    expect(indexesOf({ items })).toEqual([...newestFirst].reverse());
  });

  it('rejects an invented cursor and the cursor of another list', async () => {
    const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const cursors = [
      'nonsense',
      encode('AUDIT#001'),
      encode(['MEMBER#1', 1]),
      encode(['AUDIT#001', 0]),
      encode(['AUDIT#001', 1.5]),
      encode([{ S: 'AUDIT#001' }, 1]),
      encode(null),
    ];
    for (const cursor of cursors) {
      await expect(page({ limit: 5, cursor })).rejects.toMatchObject({
        statusCode: 400,
        publicMessage: [expect.stringMatching(/^cursor /)],
      });
    }
  });
});
