import { beforeAll, describe, expect, it } from 'vitest';
import { getUsage } from '#schemas/billing.ts';
import { newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { liftRateLimits } from '#tests/support/registry/lift-rate-limits.ts';
import { addEntry } from './ledger-entry.ts';

beforeAll(liftRateLimits);

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
