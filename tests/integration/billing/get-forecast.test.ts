import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { planEntry } from '#lib/features/billing/ledger/ledger.ts';
import { readPaidCalls } from '#lib/features/network-costs/paid-calls.ts';
import { findSocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { withFreshToken } from '#lib/features/social/tokens/fresh-credentials.ts';
import { setClock } from '#lib/platform/clock.ts';
import { write } from '#lib/platform/db/write.ts';
import { idAt } from '#lib/platform/ids.ts';
import { accountTokensOf } from '#lib/vendors/networks/ports/tokens.ts';
import { getForecast } from '#schemas/billing.ts';
import { type Account, newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { connectAccount } from '#tests/support/social-accounts.ts';

let owner: Account;

beforeEach(async () => {
  setClock(() => Date.UTC(2027, 3, 20, 12));
  owner = await newAccount();
});
afterEach(() => {
  delete process.env.NETWORK_CALL_PRICES;
});

async function forecast() {
  const { status, body } = await call(getForecast, { token: owner.token });
  expect(status).toBe(200);

  return body.forecast;
}

/** Uses credits on a day of April or March 2027. */
async function use(credits: number, month: number, day: number): Promise<void> {
  const entry = {
    id: idAt(Date.UTC(2027, month - 1, day, 9)),
    type: 'usage',
    credits: -credits,
    description: 'Replies',
  } as const;
  await write(...planEntry(owner.organizationId, entry, { add: { available: -credits } }));
}

describe('the forecast', () => {
  it('has no end date and only zeros without usage', async () => {
    expect(await forecast()).toEqual({
      creditsPerDay: 0,
      daysLeft: null,
      emptyAt: null,
      projectedCreditsThisMonth: 0,
      projectedCostUsd: 0,
      networkCosts: [
        {
          platform: 'TWITTER',
          calls: 0,
          costUsd: 0,
          basis: '0 reads at 0.005 USD and 0 writes at 0.015 USD',
        },
      ],
    });
  });

  it('averages 14 days, today included, and projects them to the end of the month', async () => {
    await use(20, 3, 31);
    await use(4, 4, 6);
    await use(14, 4, 7);
    await use(14, 4, 20);

    expect(await forecast()).toMatchObject({
      creditsPerDay: 2,
      daysLeft: 24,
      emptyAt: '2027-05-14T12:00:00.000Z',
      projectedCreditsThisMonth: 4 + 14 + 14 + 2 * 10,
      projectedCostUsd: 0.52,
    });
  });

  it('reports the calls to X at the configured prices, by month', async () => {
    process.env.NETWORK_CALL_PRICES = '{"TWITTER":{"read":0.5,"write":2}}';
    const { organizationId } = owner;
    setClock();
    const { id } = await connectAccount(owner.token, { platform: 'TWITTER' });
    const account = await findSocialAccount(organizationId, id);
    if (!account) {
      throw new Error('The account is not connected');
    }
    await withFreshToken(account, accountTokensOf(account.platform).validateToken);
    const { networkCosts } = await forecast();

    expect(networkCosts).toMatchObject([{ platform: 'TWITTER' }]);
    const [{ calls, costUsd }] = networkCosts;
    expect(calls).toBeGreaterThan(0);
    expect(costUsd).toBe(calls * 0.5);
    expect(await readPaidCalls(organizationId, '2026-01', 'TWITTER')).toEqual({
      read: 0,
      write: 0,
    });
  });
});
