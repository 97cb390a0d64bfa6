import type { Balance, CreditMark } from '#lib/features/billing/ledger/balance.ts';
import { listNotifiedAddresses } from '#lib/features/organizations/members.ts';
import { findOrganization } from '#lib/features/organizations/organizations.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { absent, allOf, below } from '#lib/platform/db/conditions.ts';
import { ConditionNotMetError } from '#lib/platform/db/failures.ts';
import { billingKeys } from '#lib/platform/db/keys/billing.ts';
import { campaignKeys, campaignRanges } from '#lib/platform/db/keys/campaigns.ts';
import { organizationKeys } from '#lib/platform/db/keys/organizations.ts';
import { webhookRanges } from '#lib/platform/db/keys/webhooks.ts';
import { query } from '#lib/platform/db/read.ts';
import { change, type Write, write } from '#lib/platform/db/write.ts';
import { creditsExhaustedMail, creditsLowMail } from '#lib/platform/mail/mails.ts';
import { planMail } from '#lib/platform/mail/outgoing-mail.ts';
import { planEvent } from '#lib/platform/webhooks/deliveries.ts';
import type { WebhookEndpoint } from '#lib/platform/webhooks/endpoints.ts';
import { planOrganizationEvent } from '#lib/platform/webhooks/organization-events.ts';
import { defaultThreshold } from './auto-refill-settings.ts';

/** A transaction allows 100 writes. Each event needs three, and there are at most 20 emails. */
const eventsAtOnce = 25;

type CreditEvent = {
  readonly type: 'credits.low' | 'credits.exhausted';
  readonly eventMark: CreditMark;
  readonly mailMark: CreditMark;
  /** The event is due when fewer credits than this remain. */
  readonly limit: number;
};

/**
 * Notifies people and webhooks that credits are low or exhausted. Each event, and the emails about
 * it, are sent once until credits are added, even if several debits detect it concurrently. There
 * are no emails while a refill is expected.
 */
export async function notifyCreditsLow(
  balance: Balance,
  { isRefillExpected }: { readonly isRefillExpected: boolean },
): Promise<void> {
  const { available, refillThreshold = defaultThreshold } = balance;
  const known: readonly CreditEvent[] = [
    {
      type: 'credits.low',
      eventMark: 'lowToldAt',
      mailMark: 'lowMailedAt',
      limit: refillThreshold,
    },
    {
      type: 'credits.exhausted',
      eventMark: 'exhaustedToldAt',
      mailMark: 'exhaustedMailedAt',
      limit: 1,
    },
  ];
  const due = known
    .filter(({ limit }) => available < limit)
    .map((event) => ({
      ...event,
      hasEvent: !balance[event.eventMark],
      hasMails: !balance[event.mailMark] && !isRefillExpected,
    }))
    .filter(({ hasEvent, hasMails }) => hasEvent || hasMails);
  if (due.length === 0) {
    return;
  }
  const endpoints = await findCampaignEndpoints(balance.organizationId);
  for (const event of due) {
    await sendCreditEvent(balance, event, endpoints);
  }
}

/** Returns the webhook endpoints of campaigns. The query also reads the endpoints of accounts. */
async function findCampaignEndpoints(organizationId: string): Promise<readonly WebhookEndpoint[]> {
  const [campaigns, endpoints] = await Promise.all([
    query(campaignRanges.campaigns(organizationId), { keysOnly: true }),
    query<WebhookEndpoint>(webhookRanges.webhookEndpoints(organizationId)),
  ]);
  const sortKeys = new Set(campaigns.map(({ sk }) => sk));

  return endpoints.filter(({ sourceId }) =>
    sortKeys.has(campaignKeys.campaign(organizationId, sourceId).sk),
  );
}

type DueEvent = CreditEvent & { readonly hasEvent: boolean; readonly hasMails: boolean };

async function sendCreditEvent(
  { organizationId, available }: Balance,
  { type, limit, eventMark, mailMark, hasEvent, hasMails }: DueEvent,
  endpoints: readonly WebhookEndpoint[],
): Promise<void> {
  const data = {
    organizationId,
    credits: Math.max(0, available),
    ...(type === 'credits.low' ? { threshold: limit } : {}),
  };
  const events = (hasEvent ? endpoints : []).map((endpoint) =>
    planEvent(endpoint, { type, data: { campaignId: endpoint.sourceId, ...data } }),
  );
  const [ofOrganization, mails] = await Promise.all([
    hasEvent
      ? planOrganizationEvent(organizationId, { type, data: { campaignId: null, ...data } })
      : [],
    hasMails ? planMails(organizationId, type, data.credits) : [],
  ]);
  const marks = [...(hasEvent ? [eventMark] : []), ...(hasMails ? [mailMark] : [])];
  const notified = change(billingKeys.balance(organizationId), {
    set: Object.fromEntries(marks.map((mark) => [mark, timestamp()])),
    when: allOf(...marks.map(absent), below('available', limit)),
  });
  try {
    await write(notified, ...ofOrganization, ...mails, ...events.slice(0, eventsAtOnce).flat());
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

async function planMails(
  organizationId: string,
  type: CreditEvent['type'],
  credits: number,
): Promise<readonly Write[]> {
  const [addresses, organization] = await Promise.all([
    listNotifiedAddresses(organizationId, 'credits'),
    findOrganization(organizationId),
  ]);
  const organizationName = organization?.name ?? '';
  const mailTo = type === 'credits.low' ? creditsLowMail : creditsExhaustedMail;

  return Promise.all(
    addresses.map((to) =>
      planMail(
        organizationKeys.organization(organizationId),
        mailTo({ to, organizationName, credits }),
      ),
    ),
  );
}
