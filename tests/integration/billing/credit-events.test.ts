import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { planCredit } from '#lib/features/billing/ledger/ledger.ts';
import { refillWhenLow } from '#lib/features/billing/refills/start-refill.ts';
import { minuteMs, setClock } from '#lib/platform/clock.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { change, discard, put, write } from '#lib/platform/db/write.ts';
import { newId } from '#lib/platform/ids.ts';
import type { Delivery } from '#lib/platform/webhooks/delivery.ts';
import { newWebhookEndpoint } from '#lib/platform/webhooks/endpoint-secrets.ts';
import { updateAutoRefillSettings } from '#schemas/billing.ts';
import { updateNotificationSettings } from '#schemas/organizations.ts';
import { type Account, newAccount, newMember } from '#tests/support/accounts.ts';
import { call } from '#tests/support/api.ts';
import { balanceOf, giveCard, useCredit } from '#tests/support/billing.ts';
import { deathsOf, untilDeath } from '#tests/support/deaths.ts';
import { runDueWork } from '#tests/support/due-work.ts';
import { sandbox } from '#tests/support/mails.ts';
import { liftRateLimits } from '#tests/support/registry/lift-rate-limits.ts';
import { storedItems } from '#tests/support/table.ts';
import { drainWork } from '#tests/support/work.ts';

let owner: Account;
let organizationId: string;

beforeAll(liftRateLimits);

beforeEach(async () => {
  owner = await newAccount();
  organizationId = owner.organizationId;
});

/** Creates a webhook endpoint for a campaign, or for another kind of source. */
async function newEventSource(ofCampaign = true): Promise<string> {
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

/** Returns the pending events for a receiver. */
async function eventsTo(sourceId: string): Promise<readonly object[]> {
  const { pk } = keys.webhookDelivery(organizationId, sourceId, '');
  const items = (await storedItems(pk)) as unknown as readonly (Delivery & { sk: string })[];

  return items
    .filter(({ sk, body }) => sk.startsWith(`${sourceId}#DELIVERY#`) && body)
    .toSorted((one, other) => one.id.localeCompare(other.id))
    .map(({ type, body }) => ({ type, ...JSON.parse(body ?? '').data }));
}

/** Sets the available credits without emitting events. */
async function setAvailableCredits(credits: number): Promise<void> {
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
  it('is sent to every campaign with a webhook, and to no other source, when a debit crosses the threshold', async () => {
    const [one, other, account] = [
      await newEventSource(),
      await newEventSource(),
      await newEventSource(false),
    ];
    await saveThreshold(50);
    await setAvailableCredits(51);

    await useCredit(organizationId);
    expect(await eventsTo(one)).toEqual([]);
    await useCredit(organizationId);
    await useCredit(organizationId);

    expect(await eventsTo(one)).toEqual([low(one, 49, 50)]);
    expect(await eventsTo(other)).toEqual([low(other, 49, 50)]);
    expect(await eventsTo(account)).toEqual([]);
  });

  it('is sent once when many debits cross the threshold concurrently', async () => {
    const campaignId = await newEventSource();
    await saveThreshold(90);

    await Promise.all(Array.from({ length: 40 }, () => useCredit(organizationId)));

    expect(await eventsTo(campaignId)).toEqual([
      { ...low(campaignId, 0, 90), credits: expect.any(Number) },
    ]);
  });

  it('is sent again only after credits were added', async () => {
    const campaignId = await newEventSource();
    await saveThreshold(50);
    await setAvailableCredits(50);
    await useCredit(organizationId);
    await addCredits(10);
    expect(await eventsTo(campaignId)).toHaveLength(1);

    await setAvailableCredits(50);
    await useCredit(organizationId);
    await useCredit(organizationId);

    expect(await eventsTo(campaignId)).toEqual([low(campaignId, 49, 50), low(campaignId, 49, 50)]);
  });
});

describe('credits.exhausted', () => {
  it('follows credits.low when concurrent debits use the last credit', async () => {
    const campaignId = await newEventSource();
    await saveThreshold(5);
    await setAvailableCredits(20);

    await Promise.all(Array.from({ length: 20 }, () => useCredit(organizationId)));

    const events = await eventsTo(campaignId);
    expect(events).toHaveLength(2);
    expect(events).toContainEqual(exhausted(campaignId));
    expect((await balanceOf(organizationId)).credits).toBe(0);
  });

  it('is sent by the next request without credits if the process crashed before sending it', async () => {
    const campaignId = await newEventSource();
    await saveThreshold(0);
    await setAvailableCredits(0);

    await Promise.all([refillWhenLow(organizationId), refillWhenLow(organizationId)]);

    expect(await eventsTo(campaignId)).toEqual([exhausted(campaignId)]);
  });

  it('reaches more campaigns than fit into one transaction', async () => {
    const campaignIds = await Promise.all(Array.from({ length: 33 }, () => newEventSource()));
    await saveThreshold(0);
    await setAvailableCredits(1);

    await useCredit(organizationId);

    const told = await Promise.all(campaignIds.map(eventsTo));
    expect(told).toEqual(campaignIds.map((campaignId) => [exhausted(campaignId)]));
  });
});

describe('the mails about credits', () => {
  async function mailsTo({ email }: Account): Promise<readonly string[]> {
    await drainWork('mail-delivery');
    const mails = await sandbox.mails(email);

    return mails
      .map(({ subject }) => subject)
      .filter((subject) => /credits/i.test(subject))
      .toSorted();
  }
  const mails = [
    expect.stringMatching(/^Automatic replies stopped: .* has no credits left$/),
    expect.stringMatching(/^Credits are low: /),
  ];

  it('are one for each event, even without webhooks and with auto-refill off', async () => {
    const [admin, member] = [await newMember(owner, 'ADMIN'), await newMember(owner, 'MEMBER')];
    await saveThreshold(50);
    await setAvailableCredits(50);
    await Promise.all([1, 2, 3].map(() => useCredit(organizationId)));
    expect(await mailsTo(owner)).toEqual([mails[1]]);

    await setAvailableCredits(1);
    await useCredit(organizationId);
    await Promise.all([1, 2, 3].map(() => refillWhenLow(organizationId)));
    expect(await mailsTo(owner)).toEqual(mails);
    expect(await mailsTo(admin)).toEqual(mails);
    expect(await mailsTo(member)).toEqual([]);
  });

  it('are sent again only after credits were added', async () => {
    await setAvailableCredits(1);
    await useCredit(organizationId);
    await addCredits(1);
    await useCredit(organizationId);

    expect(await mailsTo(owner)).toEqual([mails[0], mails[0], mails[1], mails[1]]);
  });

  it('are not sent to people who turned them off', async () => {
    await call(updateNotificationSettings, {
      params: { organization_id: organizationId },
      token: owner.token,
      body: { credits: 'OFF' },
    });
    await setAvailableCredits(1);
    await useCredit(organizationId);

    expect(await mailsTo(owner)).toEqual([]);
  });

  it('are sent while the refill is rejected, and before billing is set up', async () => {
    await write(
      change(keys.balance(organizationId), { set: { refillDeclines: 1, refillEnabled: true } }),
      discard(keys.billing(organizationId)),
    );
    await setAvailableCredits(1);
    await useCredit(organizationId);

    expect(await mailsTo(owner)).toEqual(mails);
  });

  it('are not sent while a refill is expected, and are sent after it is rejected', async () => {
    const campaignId = await newEventSource();
    await call(updateAutoRefillSettings, {
      token: owner.token,
      body: { enabled: true, threshold: 50, amount: 5 },
    });
    await setAvailableCredits(50);
    await useCredit(organizationId);
    await drainWork('refill-charge');
    expect((await balanceOf(organizationId)).available).toBe(549);
    expect(await mailsTo(owner)).toEqual([]);
    expect(await eventsTo(campaignId)).toEqual([low(campaignId, 49, 50)]);

    await giveCard(organizationId, 'pm_card_chargeCustomerFail');
    await write(change(keys.balance(organizationId), { set: { refillStartedAt: null } }));
    await setAvailableCredits(50);
    await useCredit(organizationId);
    expect(await mailsTo(owner)).toEqual([]);
    await drainWork('refill-charge');
    await useCredit(organizationId);

    expect(await mailsTo(owner)).toEqual([mails[1]]);
    expect(await eventsTo(campaignId)).toHaveLength(2);
  });

  it.each(deathsOf(2))(
    'are sent once even if the process crashes $when write $nth',
    async (death) => {
      await setAvailableCredits(0);
      await untilDeath(death, () => refillWhenLow(organizationId));
      await refillWhenLow(organizationId);

      await runDueWork();
      setClock(() => Date.now() + 2 * minuteMs);
      await runDueWork();
      setClock();
      expect(await mailsTo(owner)).toEqual(mails);
    },
  );
});
