import { beforeAll, describe, expect, it } from 'vitest';
import { listLedger, listTransactions } from '#schemas/billing.ts';
import { type Account, newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { buy, expectBalanced } from '#tests/support/billing.ts';
import { liftRateLimits } from '#tests/support/registry/lift-rate-limits.ts';
import { addEntry } from './ledger-entry.ts';

beforeAll(liftRateLimits);

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
});
