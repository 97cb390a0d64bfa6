import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { planCredit } from '#lib/features/billing/ledger/ledger.ts';
import { refillWhenLow } from '#lib/features/billing/refills/start-refill.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { change, put, write } from '#lib/platform/db/write.ts';
import { newId } from '#lib/platform/ids.ts';
import type { Delivery } from '#lib/platform/webhooks/delivery.ts';
import { newWebhookEndpoint } from '#lib/platform/webhooks/endpoints.ts';
import { updateAutoRefillSettings } from '#schemas/billing.ts';
import { type Account, newAccount } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { balanceOf, useCredit } from '#tests/support/billing.ts';
import { liftRateLimits } from '#tests/support/registry/lift-rate-limits.ts';
import { storedItems } from '#tests/support/table.ts';

let owner: Account;
let organizationId: string;

beforeAll(liftRateLimits);

beforeEach(async () => {
  owner = await newAccount();
  organizationId = owner.organizationId;
});

/** A receiver of a campaign's events, or of another source's. */
async function newReceiver(ofCampaign = true): Promise<string> {
  const sourceId = newId();
  const { endpoint } = await newWebhookEndpoint(
    organizationId,
    sourceId,
    'https://hooks.example.com/',
  );
  await write(
    put(keys.webhookEndpoint(organizationId, sourceId), endpoint),
    ...(ofCampaign ? [put(keys.campaign(organizationId, sourceId), { id: sourceId })] : []),
  );

  return sourceId;
}

/** What is on its way to a receiver. */
async function eventsTo(sourceId: string): Promise<readonly object[]> {
  const { pk } = keys.webhookDelivery(organizationId, sourceId, '');
  const items = (await storedItems(pk)) as unknown as readonly (Delivery & { sk: string })[];

  return items
    .filter(({ sk, body }) => sk.startsWith(`${sourceId}#DELIVERY#`) && body)
    .toSorted((one, other) => one.id.localeCompare(other.id))
    .map(({ type, body }) => ({ type, ...JSON.parse(body).data }));
}

/** Leaves so many credits, and says nothing of it. */
async function leave(credits: number): Promise<void> {
  const { available } = await balanceOf(organizationId);
  const amount = credits - available;
  await write(
    change(keys.balance(organizationId), { add: { credits: amount, available: amount } }),
  );
}

async function addCredits(credits: number): Promise<void> {
  const entry = { id: newId(), type: 'adjustment', credits, description: 'A present' } as const;
  await write(...planCredit(organizationId, entry));
}

function saveThreshold(threshold: number) {
  return call(updateAutoRefillSettings, {
    token: owner.token,
    body: { enabled: false, threshold, amount: 10 },
  });
}

const low = (campaignId: string, credits: number, threshold: number) => ({
  type: 'credits.low',
  campaignId,
  organizationId,
  credits,
  threshold,
});
const exhausted = (campaignId: string) => ({
  type: 'credits.exhausted',
  campaignId,
  organizationId,
  credits: 0,
});

describe('credits.low', () => {
  it('goes to each campaign with a webhook, and to no other source, at the debit that crosses', async () => {
    const [one, other, account] = [
      await newReceiver(),
      await newReceiver(),
      await newReceiver(false),
    ];
    await saveThreshold(50);
    await leave(51);

    await useCredit(organizationId);
    expect(await eventsTo(one)).toEqual([]);
    await useCredit(organizationId);
    await useCredit(organizationId);

    expect(await eventsTo(one)).toEqual([low(one, 49, 50)]);
    expect(await eventsTo(other)).toEqual([low(other, 49, 50)]);
    expect(await eventsTo(account)).toEqual([]);
  });

  it('is one, when many debits cross at once', async () => {
    const campaignId = await newReceiver();
    await saveThreshold(90);

    await Promise.all(Array.from({ length: 40 }, () => useCredit(organizationId)));

    expect(await eventsTo(campaignId)).toEqual([
      { ...low(campaignId, 0, 90), credits: expect.any(Number) },
    ]);
  });

  it('comes again only when credits have come in since', async () => {
    const campaignId = await newReceiver();
    await saveThreshold(50);
    await leave(50);
    await useCredit(organizationId);
    await addCredits(10);
    expect(await eventsTo(campaignId)).toHaveLength(1);

    await leave(50);
    await useCredit(organizationId);
    await useCredit(organizationId);

    expect(await eventsTo(campaignId)).toEqual([low(campaignId, 49, 50), low(campaignId, 49, 50)]);
  });
});

describe('credits.exhausted', () => {
  it('follows credits.low when the last of many concurrent debits has taken the last credit', async () => {
    const campaignId = await newReceiver();
    await saveThreshold(5);
    await leave(20);

    await Promise.all(Array.from({ length: 20 }, () => useCredit(organizationId)));

    const events = await eventsTo(campaignId);
    expect(events).toHaveLength(2);
    expect(events).toContainEqual(exhausted(campaignId));
    expect((await balanceOf(organizationId)).credits).toBe(0);
  });

  it('is told by the next who finds no credit, where the process died before it could', async () => {
    const campaignId = await newReceiver();
    await saveThreshold(0);
    await leave(0);

    await Promise.all([refillWhenLow(organizationId), refillWhenLow(organizationId)]);

    expect(await eventsTo(campaignId)).toEqual([exhausted(campaignId)]);
  });

  it('reaches more campaigns than one transaction holds', async () => {
    const campaignIds = await Promise.all(Array.from({ length: 33 }, () => newReceiver()));
    await saveThreshold(0);
    await leave(1);

    await useCredit(organizationId);

    const told = await Promise.all(campaignIds.map(eventsTo));
    expect(told).toEqual(campaignIds.map((campaignId) => [exhausted(campaignId)]));
  });
});
