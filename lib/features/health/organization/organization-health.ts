import type { Agent } from '#lib/features/ai/agent.ts';
import {
  type BillingCustomer,
  findBillingCustomer,
} from '#lib/features/billing/customer/billing-customer.ts';
import type { Balance } from '#lib/features/billing/ledger/balance.ts';
import {
  findSubscription,
  openSubscription,
  type Subscription,
} from '#lib/features/billing/subscriptions/subscription-record.ts';
import { findWaitingSince } from '#lib/features/conversations/inbox/find-waiting.ts';
import {
  findMediaCounter,
  mediaLimitOf,
  presentStorageUsed,
} from '#lib/features/media/storage-used.ts';
import { findOrganization } from '#lib/features/organizations/organizations.ts';
import { listSocialAccounts } from '#lib/features/social/accounts/accounts.ts';
import { hourMs, minuteMs, presentBegan, timestamp } from '#lib/platform/clock.ts';
import { config } from '#lib/platform/config.ts';
import { billingKeys } from '#lib/platform/db/keys/billing.ts';
import { organizationRanges } from '#lib/platform/db/keys/organizations.ts';
import { systemRanges } from '#lib/platform/db/keys/system.ts';
import { get, query } from '#lib/platform/db/read.ts';
import type { SystemStatus } from '#schemas/health.ts';
import {
  type Alert,
  aboutAccounts,
  aboutAgents,
  aboutBilling,
  aboutPosts,
  aboutSubscription,
  aboutWaitingCustomers,
  aboutWebhooks,
  type Concern,
} from './concerns.ts';
import { countFailedPosts } from './failed-posts.ts';
import { findFailingWebhooks } from './failing-webhooks.ts';
import { recommendDisclosure } from './recommend-disclosure.ts';

/** Customers who wait longer are reported. */
const longWaitMs = 30 * minuteMs;

export async function describeOrganizationHealth(organizationId: string) {
  const [
    accounts,
    customer,
    balance,
    record,
    agents,
    posts,
    webhooks,
    last24h,
    waitingSince,
    media,
    organization,
  ] = await Promise.all([
    listSocialAccounts(organizationId),
    findBillingCustomer(organizationId),
    get<Balance>(billingKeys.balance(organizationId)),
    findSubscription(organizationId),
    query<Agent>(organizationRanges.records(organizationId, 'AGENT')),
    countFailedPosts(organizationId),
    findFailingWebhooks(organizationId),
    countCalls(organizationId),
    findWaitingSince(organizationId, timestamp(-longWaitMs)),
    findMediaCounter(organizationId),
    findOrganization(organizationId),
  ]);
  const subscription = openSubscription(record);
  const { bytes: used, limitBytes: limit } = presentStorageUsed(media, mediaLimitOf(record));
  const ofAccounts = aboutAccounts(accounts);
  const concerns = [
    ...ofAccounts,
    ...aboutBilling(customer, balance),
    ...aboutSubscription(subscription),
    ...aboutAgents(agents),
    ...aboutPosts(posts),
    ...aboutWebhooks(webhooks),
    ...aboutWaitingCustomers(waitingSince),
  ];
  const alerts = concerns.map(({ alert }) => alert);
  const accountsWithIssues = new Set(ofAccounts.map(({ subject }) => subject)).size;
  const active = accounts.filter(({ isActive }) => isActive).length;

  return {
    organizationId,
    status: statusOf(alerts),
    timestamp: timestamp(),
    health: {
      accounts: {
        total: accounts.length,
        active,
        inactive: accounts.length - active,
        issues: accountsWithIssues,
      },
      integrations: {
        social: {
          connected: accounts.length,
          healthy: accounts.length - accountsWithIssues,
          issues: accountsWithIssues,
        },
        billing: describeBilling(customer, balance, subscription),
      },
      usage: {
        apiCalls: { last24h, limit: null, percentage: null },
        storage: { used, limit, percentage: Math.round((used / limit) * 10_000) / 100 },
      },
      alerts,
      recommendations: [
        ...recommendationsOf(concerns),
        ...(await recommendDisclosure(organization, agents)),
      ],
    },
  };
}

/** Counts the calls of the current hour and the 23 hours before it. */
async function countCalls(organizationId: string): Promise<number> {
  const from = timestamp(-23 * hourMs, presentBegan(hourMs));
  const hours = await query<{ calls: number }>(systemRanges.apiCalls(organizationId, from));

  return hours.reduce((sum, { calls }) => sum + calls, 0);
}

function statusOf(alerts: readonly Alert[]): SystemStatus {
  if (config.isInMaintenance) {
    return 'maintenance';
  }
  if (alerts.some(({ severity }) => severity === 'critical')) {
    return 'unhealthy';
  }

  return alerts.some(({ severity }) => severity === 'warning') ? 'degraded' : 'healthy';
}

function describeBilling(
  customer: BillingCustomer | undefined,
  balance: Balance | undefined,
  subscription: Subscription | undefined,
) {
  const isRefused = (balance?.refillDeclines ?? 0) > 0;
  const hasCard = customer !== undefined && !customer.hasNoCard;
  const paymentMethod = isRefused ? 'refused' : 'configured';

  return {
    status: customer ? 'active' : 'not_configured',
    paymentMethod: hasCard ? paymentMethod : 'none',
    subscription: subscription?.status ?? 'none',
  };
}

function recommendationsOf(concerns: readonly Concern[]) {
  const order = { high: 0, medium: 1, low: 2 } as const;

  return concerns
    .map(({ recommendation }) => recommendation)
    .sort((one, other) => order[one.priority] - order[other.priority]);
}
