import type { Balance } from '#lib/features/billing/ledger/balance.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { absent, allOf, below } from '#lib/platform/db/conditions.ts';
import { keys, ranges } from '#lib/platform/db/keys.ts';
import { query } from '#lib/platform/db/read.ts';
import { ConditionNotMetError, change, write } from '#lib/platform/db/write.ts';
import type { WebhookEndpoint } from '#lib/platform/webhooks/endpoints.ts';
import { planEvent } from '#lib/platform/webhooks/events.ts';
import { planOrganizationEvent } from '#lib/platform/webhooks/organization-events.ts';
import { defaultThreshold } from './auto-refill-settings.ts';

/** A transaction allows 100 writes, and each event needs three. */
const eventsAtOnce = 30;

type CreditEvent = {
  readonly type: 'credits.low' | 'credits.exhausted';
  /** The balance attribute that records the notification. Adding credits clears it. */
  readonly mark: 'lowToldAt' | 'exhaustedToldAt';
  /** The event is due when fewer credits than this are left. */
  readonly limit: number;
};

/**
 * Notifies the webhooks of the organization's campaigns that credits are low or exhausted. Each
 * event is sent once until credits are added, even if several debits detect it concurrently.
 */
export async function notifyCreditsLow(balance: Balance): Promise<void> {
  const { available, refillThreshold = defaultThreshold } = balance;
  const known: readonly CreditEvent[] = [
    { type: 'credits.low', mark: 'lowToldAt', limit: refillThreshold },
    { type: 'credits.exhausted', mark: 'exhaustedToldAt', limit: 1 },
  ];
  const due = known.filter(({ mark, limit }) => available < limit && !balance[mark]);
  if (due.length === 0) {
    return;
  }
  const endpoints = await findCampaignEndpoints(balance.organizationId);
  for (const event of due) {
    await sendCreditEvent(balance, event, endpoints);
  }
}

/** Returns the webhook endpoints of campaigns. The query also returns those of accounts. */
async function findCampaignEndpoints(organizationId: string): Promise<readonly WebhookEndpoint[]> {
  const [campaigns, endpoints] = await Promise.all([
    query(ranges.campaigns(organizationId), { keysOnly: true }),
    query<WebhookEndpoint>(ranges.webhookEndpoints(organizationId)),
  ]);
  const campaignKeys = new Set(campaigns.map(({ sk }) => sk));

  return endpoints.filter(({ sourceId }) =>
    campaignKeys.has(keys.campaign(organizationId, sourceId).sk),
  );
}

async function sendCreditEvent(
  { organizationId, available }: Balance,
  { type, mark, limit }: CreditEvent,
  endpoints: readonly WebhookEndpoint[],
): Promise<void> {
  const data = {
    organizationId,
    credits: Math.max(0, available),
    ...(type === 'credits.low' ? { threshold: limit } : {}),
  };
  const events = endpoints.map((endpoint) =>
    planEvent(endpoint, { type, data: { campaignId: endpoint.sourceId, ...data } }),
  );
  const ofOrganization = await planOrganizationEvent(organizationId, {
    type,
    data: { campaignId: null, ...data },
  });
  const notified = change(keys.balance(organizationId), {
    set: { [mark]: timestamp() },
    when: allOf(absent(mark), below('available', limit)),
  });
  try {
    await write(notified, ...ofOrganization, ...events.slice(0, eventsAtOnce).flat());
  } catch (failure) {
    if (failure instanceof ConditionNotMetError) {
      return;
    }
    throw failure;
  }
  for (let next = eventsAtOnce; next < events.length; next += eventsAtOnce) {
    await write(...events.slice(next, next + eventsAtOnce).flat());
  }
}
