import type { Balance } from '#lib/features/billing/ledger/balance.ts';
import { readUsageDays, sumOfDays } from '#lib/features/billing/usage/usage-days.ts';
import { findWaitingSince } from '#lib/features/conversations/inbox/find-waiting.ts';
import { isTokenExpiring } from '#lib/features/health/organization/concerns.ts';
import { countFailedPosts } from '#lib/features/health/organization/failed-posts.ts';
import { listSocialAccounts } from '#lib/features/social/accounts/accounts.ts';
import { dayMs, now, presentBegan, secondMs, timestamp } from '#lib/platform/clock.ts';
import { billingKeys } from '#lib/platform/db/keys/billing.ts';
import { get } from '#lib/platform/db/read.ts';
import type { Membership } from '#lib/platform/identity/identity.ts';
import { ranksAtLeast } from '#schemas/contract.ts';
import type { Gauge } from './prometheus.ts';

/**
 * Returns the alert gauges of an organization, from a part of the data that its health report uses.
 */
export async function readOrganizationGauges({
  organizationId,
  role,
}: Pick<Membership, 'organizationId' | 'role'>): Promise<readonly Gauge[]> {
  const today = { fromMs: presentBegan(dayMs), untilMs: now() + 1 };
  const [waitingSince, days, failedPosts, accounts, balance] = await Promise.all([
    findWaitingSince(organizationId, timestamp()),
    readUsageDays(organizationId, today),
    countFailedPosts(organizationId),
    listSocialAccounts(organizationId),
    ranksAtLeast(role, 'ADMIN') ? get<Balance>(billingKeys.balance(organizationId)) : undefined,
  ]);
  const waitingMs = waitingSince === undefined ? 0 : now() - Date.parse(waitingSince);
  const active = accounts.filter(({ isActive }) => isActive);

  return [
    {
      name: 'social_leads_customer_waiting_seconds',
      help: 'The longest time that a customer has waited for an answer.',
      value: waitingMs / secondMs,
    },
    {
      name: 'social_leads_replies_today',
      help: 'Replies of agents since midnight UTC.',
      value: sumOfDays(days, 'entries_usage'),
    },
    {
      name: 'social_leads_failed_posts',
      help: 'Posts of the last seven days that failed to publish, up to 100.',
      value: failedPosts,
    },
    {
      name: 'social_leads_expiring_tokens',
      help: 'Active social accounts whose token expires within three days unless a person renews it.',
      value: active.filter(isTokenExpiring).length,
    },
    {
      name: 'social_leads_inactive_accounts',
      help: 'Social accounts that have to be connected again.',
      value: accounts.length - active.length,
    },
    ...(balance
      ? [
          {
            name: 'social_leads_credits_available',
            help: 'Credits that are neither used nor reserved. Only for owners and admins.',
            value: balance.available,
          },
        ]
      : []),
  ];
}
