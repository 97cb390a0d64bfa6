import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { planCredit, planEntry } from '#lib/features/billing/ledger/ledger.ts';
import { dayMs } from '#lib/platform/clock.ts';
import { write } from '#lib/platform/db/write.ts';
import { idOfEvent } from '#lib/platform/ids.ts';
import { getUsage, type LedgerType, listLedger, listTransactions } from '#schemas/billing.ts';
import { type Account, newAccount, newMember } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { buy, expectBalanced } from '#tests/support/billing.ts';
import { liftRateLimits } from '#tests/support/registry/lift-rate-limits.ts';

beforeAll(liftRateLimits);

/** Stores a ledger entry with the given time. */
async function addEntry(
  { organizationId }: Account,
  type: LedgerType,
  credits: number,
  at: string | number,
): Promise<string> {
  const id = idOfEvent(randomUUID(), new Date(at).getTime());
  const entry = { id, type, credits, description: `${type} of ${credits}` };
  await write(
    ...(credits > 0
      ? planCredit(organizationId, entry)
      : planEntry(organizationId, entry, { add: { available: credits } })),
  );

  return id;
}

function transactions({ token }: Account, query: Readonly<Record<string, string>> = {}) {
  return call(listTransactions, { token, query });
}

describe('listing transactions', () => {
  it('returns balance changes newest first, and usage only on request', async () => {
    const owner = await newAccount();
    expect((await buy(owner, 25)).status).toBe(201);
    await addEntry(owner, 'usage', -1, Date.now());
    await addEntry(owner, 'adjustment', 7, Date.now() + 1_000);

    const { body } = await transactions(owner);

    expect(body.transactions).toMatchObject([
      { type: 'adjustment', credits: 7, amount: 0, paymentMethod: null },
      {
        type: 'credit_purchase',
        credits: 2_500,
        amount: 25,
        currency: 'USD',
        status: 'succeeded',
        paymentMethod: { brand: 'visa', last4: '4242' },
      },
      { type: 'welcome_credit', credits: 100, amount: 0 },
    ]);
    expect(body.pagination).toEqual({
      total: 3,
      page: 1,
      limit: 10,
      hasMore: false,
      nextCursor: null,
    });
    const usage = await transactions(owner, { type: 'usage' });
    expect(usage.body.transactions).toMatchObject([{ type: 'usage', credits: -1 }]);
    const ledger = await call(listLedger, { token: owner.token });
    expect(ledger.body.entries).toHaveLength(4);
    expect(ledger.body.pagination.total).toBe(4);
    expect(ledger.body.balance).toBe(2_606);
    expect(
      ledger.body.entries.find(({ type }: { type: string }) => type === 'credit_purchase')
        .reference,
    ).toMatch(/^pi_/);
    await expectBalanced(owner.organizationId);
  });

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

  it.each([
    [{ type: 'gift' }, /^type /],
    [{ from: 'yesterday' }, /^from /],
    [{ to: '2026-13-01' }, /^to /],
    [{ from: '2026-02-02', to: '2026-02-01' }, /^from must not be after to$/],
    [{ limit: '101' }, /^limit /],
    [{ page: '0' }, /^page /],
    [{ page: '1', cursor: 'x' }, /^page cannot be combined with cursor$/],
    [{ cursor: 'x' }, /^cursor /],
  ])('returns 400 for %j', async (query, message) => {
    const owner = await newAccount();
    const answer = await transactions(owner, query);

    expect(answer.status).toBe(400);
    expect(answer.body.message).toEqual([expect.stringMatching(message)]);
  });

  it('returns an empty page for a cursor outside the range', async () => {
    const owner = await newAccount();
    const ledger = await call(listLedger, { token: owner.token });
    const cursor = Buffer.from(JSON.stringify([ledger.body.entries[0].id, 1])).toString(
      'base64url',
    );

    const answer = await transactions(owner, { cursor, from: '2030-01-01' });

    expect(answer.status).toBe(200);
    expect(answer.body.transactions).toEqual([]);
  });

  it.each(['MEMBER', 'VIEWER'] as const)('is denied to a %s', async (role) => {
    const owner = await newAccount();
    const { token } = await newMember(owner, role);
    const headers = { 'x-organization-id': owner.organizationId };

    for (const contract of [listTransactions, listLedger, getUsage]) {
      expect((await call(contract, { token, headers })).status).toBe(403);
    }
  });
});

describe('getting usage', () => {
  it('compares this month with the previous one, in UTC', async () => {
    const owner = await newAccount();
    const now = new Date();
    const month = (offset: number, day = 1, ms = 0) =>
      Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + offset, day) + ms;
    for (const at of [month(-1), month(-1, 15), month(0) - 1, month(-1) - 1]) {
      await addEntry(owner, 'usage', -1, at);
    }
    for (const at of [month(0), month(0), month(1) - 1]) {
      await addEntry(owner, 'usage', -1, at);
    }
    await addEntry(owner, 'usage', -1, month(0));

    const { body } = await call(getUsage, { token: owner.token });

    expect(body.usage).toEqual({
      currentPeriod: {
        startDate: new Date(month(0)).toISOString(),
        endDate: new Date(month(1) - 1).toISOString(),
        messagesSent: 4,
        creditsUsed: 4,
        cost: 0.04,
      },
      previousPeriod: {
        startDate: new Date(month(-1)).toISOString(),
        endDate: new Date(month(0) - 1).toISOString(),
        messagesSent: 3,
        creditsUsed: 3,
        cost: 0.03,
      },
      trends: { messagesChange: '+33.3%', costChange: '+33.3%' },
    });
  });

  it('returns zeros when there is no usage', async () => {
    const owner = await newAccount();

    const { usage } = (await call(getUsage, { token: owner.token })).body;

    expect(usage.currentPeriod).toMatchObject({ messagesSent: 0, creditsUsed: 0, cost: 0 });
    expect(usage.trends).toEqual({ messagesChange: '0.0%', costChange: '0.0%' });
  });
});
