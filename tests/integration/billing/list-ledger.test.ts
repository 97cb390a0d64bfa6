import { beforeAll, describe, expect, it } from 'vitest';
import { dayMs } from '#lib/platform/clock.ts';
import { type LedgerType, listLedger } from '#schemas/billing.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { liftRateLimits } from '#tests/support/registry/lift-rate-limits.ts';
import { addEntry } from './ledger-entry.ts';

beforeAll(liftRateLimits);

describe('listing transactions', () => {
  it('returns the same entries by page and by cursor, with exact totals for every range', async () => {
    const owner = await newAccount();
    const begin = Date.UTC(2026, 2, 1, 12);
    const types: readonly LedgerType[] = ['adjustment', 'usage', 'subscription_credit'];
    const times: number[] = [];
    for (const index of Array.from({ length: 24 }, (_, number) => number)) {
      const at = begin + index * 0.37 * dayMs;
      times.push(at);
      await addEntry(owner, types[index % 3] ?? 'usage', types[index % 3] === 'usage' ? -1 : 2, at);
    }
    const inRange = (from: number, until: number) =>
      times.filter((at) => at >= from && at < until).length;
    const day = (ms: number) => new Date(ms).toISOString().slice(0, 10);
    for (const [first, last] of [
      [0, 0],
      [0, 3],
      [2, 8],
      [8, 20],
      [30, 40],
    ] as const) {
      const fromMs = Date.UTC(2026, 2, 1 + first);
      const query = { from: day(fromMs), to: day(Date.UTC(2026, 2, 1 + last)), limit: '100' };
      const { body } = await call(listLedger, { token: owner.token, query });
      const expected = inRange(fromMs, Date.UTC(2026, 2, 2 + last));
      expect(body.entries).toHaveLength(expected);
      expect(body.pagination.total).toBe(expected);
    }
    const [third, tenth] = [times[3] ?? 0, times[10] ?? 0];
    const exact = await call(listLedger, {
      token: owner.token,
      query: { from: new Date(third).toISOString(), to: new Date(tenth).toISOString() },
    });
    expect(exact.body.pagination.total).toBe(8);
    const whole = (await call(listLedger, { token: owner.token, query: { limit: '100' } })).body;
    const ids = whole.entries.map(({ id }: { id: string }) => id);
    expect(ids).toEqual([...ids].sort().reverse());
    const byPage: string[] = [];
    const byCursor: string[] = [];
    let cursor: string | null = null;
    for (let page = 1; page <= 5; page += 1) {
      const numbered = await call(listLedger, {
        token: owner.token,
        query: { page: String(page), limit: '6' },
      });
      byPage.push(...numbered.body.entries.map(({ id }: { id: string }) => id));
      const followed = await call(listLedger, {
        token: owner.token,
        query: { limit: '6', ...(cursor ? { cursor } : {}) },
      });
      byCursor.push(...followed.body.entries.map(({ id }: { id: string }) => id));
      cursor = followed.body.pagination.nextCursor;
    }
    expect(byPage).toEqual(ids);
    expect(byCursor).toEqual(ids);
    expect(cursor).toBeNull();
  });
});
