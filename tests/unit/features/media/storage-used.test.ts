import { afterEach, expect, it, vi } from 'vitest';
import type { SubscriptionRecord } from '#lib/features/billing/subscriptions/subscription-record.ts';
import { mediaLimitOf } from '#lib/features/media/storage-used.ts';

afterEach(() => vi.unstubAllEnvs());

const plan = {
  id: 'growth',
  name: 'Growth',
  lookupKey: 'growth_monthly',
  amountCents: 9_900,
  monthlyCredits: 10_000,
  trialDays: 0,
};
const record = { plan, status: 'active', subscriptionId: 'sub_1' } as SubscriptionRecord;

it("the storage limit is the limit of the subscription's plan in the current catalog", () => {
  expect(mediaLimitOf(record)).toEqual({ limitBytes: 50_000_000_000 });
  vi.stubEnv('BILLING_PLANS', JSON.stringify([{ ...plan, mediaBytes: 7 }]));

  expect(mediaLimitOf(record)).toEqual({ limitBytes: 7 });
});

it.each([
  ['without a subscription', undefined],
  ['after it has ended', { ...record, status: 'canceled' } as const],
  ['while it is created', { plan, status: 'creating' } as SubscriptionRecord],
])('the storage limit is 1 GB %s', (_when, one) => {
  expect(mediaLimitOf(one)).toEqual({ limitBytes: 1_000_000_000 });
});

it('the storage limit is 1 GB with a plan that has no limit', () => {
  vi.stubEnv('BILLING_PLANS', JSON.stringify([plan]));

  expect(mediaLimitOf(record)).toEqual({ limitBytes: 1_000_000_000 });
});
