import type { Agent } from '#lib/features/ai/agent.ts';
import type { BillingCustomer } from '#lib/features/billing/customer/billing-customer.ts';
import type { Balance } from '#lib/features/billing/ledger/balance.ts';
import type { Subscription } from '#lib/features/billing/subscriptions/subscription-record.ts';
import { areRepliesLimited, type SocialAccount } from '#lib/features/social/accounts/accounts.ts';
import { dayMs, now } from '#lib/platform/clock.ts';
import type { FailingWebhook } from './failing-webhooks.ts';

export type Alert = {
  readonly type: string;
  readonly severity: 'info' | 'warning' | 'critical';
  readonly message: string;
};

export type Recommendation = {
  readonly type: string;
  readonly message: string;
  readonly priority: 'low' | 'medium' | 'high';
};

/** A problem that needs attention, with a recommendation. */
export type Concern = {
  readonly subject: string;
  readonly alert: Alert;
  readonly recommendation: Recommendation;
};

const priorities = { info: 'low', warning: 'medium', critical: 'high' } as const;

function concern(
  subject: string,
  alert: Alert,
  recommendation: Pick<Recommendation, 'type' | 'message'>,
): Concern {
  return {
    subject,
    alert,
    recommendation: { ...recommendation, priority: priorities[alert.severity] },
  };
}

/**
 * Refreshable tokens are refreshed earlier, so the remaining ones need a new authorization by a
 * person.
 */
const expiringMs = 3 * dayMs;

/**
 * Reports inactive accounts, expired or expiring tokens, missing event subscriptions and limited
 * replies.
 */
export function aboutAccounts(accounts: readonly SocialAccount[]): readonly Concern[] {
  return accounts.flatMap((account): readonly Concern[] => {
    const name = `${account.platform} account ${account.platformUserName}`;
    const messaging = aboutMessaging(account, name);
    if (account.isActive) {
      return [
        ...aboutToken(account, name),
        ...messaging,
        ...aboutEvents(account, name),
        ...aboutReplies(account, name),
      ];
    }
    const severity = 'critical';
    const message = `The ${name} is not active: ${account.inactiveReason ?? 'unknown reason'}`;

    return [
      concern(
        account.id,
        { type: 'ACCOUNT_INACTIVE', severity, message },
        { type: 'RECONNECT_ACCOUNT', message: `Reconnect the ${name}` },
      ),
      ...messaging,
    ];
  });
}

function aboutMessaging({ id, messaging }: SocialAccount, name: string): readonly Concern[] {
  return messaging === 'EXPIRED'
    ? [
        concern(
          id,
          {
            type: 'MESSAGING_EXPIRED',
            severity: 'critical',
            message: `The ${name} no longer receives messages and comments: the network rejects its token for them`,
          },
          { type: 'RECONNECT_MESSAGING', message: `Set a new businessToken for the ${name}` },
        ),
      ]
    : [];
}

/** True if only a person can renew the token, and must do so soon. */
export function isTokenExpiring({ tokenExpiresAt, refreshToken }: SocialAccount): boolean {
  return (
    tokenExpiresAt !== undefined &&
    refreshToken === undefined &&
    Date.parse(tokenExpiresAt) < now() + expiringMs
  );
}

function aboutToken(account: SocialAccount, name: string): readonly Concern[] {
  const { id, tokenExpiresAt } = account;

  return isTokenExpiring(account)
    ? [
        concern(
          id,
          {
            type: 'TOKEN_EXPIRING',
            severity: 'warning',
            message: `The token of the ${name} expires at ${tokenExpiresAt}`,
          },
          { type: 'RENEW_TOKEN', message: `Reauthorize the ${name} before its token expires` },
        ),
      ]
    : [];
}

function aboutEvents({ id, subscriptionFailure }: SocialAccount, name: string): readonly Concern[] {
  return subscriptionFailure === undefined
    ? []
    : [
        concern(
          id,
          {
            type: 'EVENTS_NOT_SUBSCRIBED',
            severity: 'warning',
            message: `Messages and comments to the ${name} may not arrive: ${subscriptionFailure}`,
          },
          {
            type: 'CHECK_PERMISSIONS',
            message: `Check the permissions that the ${name} grants on its network; we retry daily`,
          },
        ),
      ];
}

function aboutReplies(account: SocialAccount, name: string): readonly Concern[] {
  return areRepliesLimited(account)
    ? [
        concern(
          account.id,
          {
            type: 'REPLIES_LIMITED',
            severity: 'warning',
            message: `The ${name} reached its hourly limit of automatic replies`,
          },
          {
            type: 'CHECK_CONVERSATIONS',
            message: `Check the conversations of the ${name} for spam and unanswered messages`,
          },
        ),
      ]
    : [];
}

const lowCreditsThreshold = 20;

/** Reports missing billing setup, low credits, and declined refills. */
export function aboutBilling(
  customer: BillingCustomer | undefined,
  balance: Balance | undefined,
): readonly Concern[] {
  if (!customer || !balance) {
    return [
      concern(
        'billing',
        { type: 'BILLING_NOT_SET_UP', severity: 'warning', message: 'Billing is not set up' },
        { type: 'SET_UP_BILLING', message: 'Set up billing to buy credits' },
      ),
    ];
  }

  return [...aboutCredits(balance), ...aboutRefills(balance)];
}

export function aboutSubscription(subscription: Subscription | undefined): readonly Concern[] {
  const { status } = subscription ?? {};
  if (status !== 'past_due' && status !== 'unpaid') {
    return [];
  }
  const severity = status === 'unpaid' ? 'critical' : 'warning';
  const message = `The subscription is ${status === 'unpaid' ? 'unpaid' : 'past due'}`;

  return [
    concern(
      'subscription',
      { type: 'SUBSCRIPTION_PAST_DUE', severity, message },
      { type: 'UPDATE_PAYMENT_METHOD', message: 'Add a valid payment method' },
    ),
  ];
}

function aboutCredits({ available, refillEnabled }: Balance): readonly Concern[] {
  if (available >= lowCreditsThreshold) {
    return [];
  }
  const isOut = available <= 0;
  const message = isOut ? 'No credits left' : `Only ${available} credits left`;

  return [
    concern(
      'credits',
      { type: 'LOW_CREDITS', severity: isOut ? 'critical' : 'warning', message },
      {
        type: 'BUY_CREDITS',
        message: refillEnabled
          ? 'Buy credits or raise the auto-refill amount'
          : 'Buy credits or turn on auto-refill',
      },
    ),
  ];
}

function aboutRefills({ refillEnabled, refillDeclines = 0 }: Balance): readonly Concern[] {
  return refillEnabled && refillDeclines > 0
    ? [
        concern(
          'refill',
          {
            type: 'REFILL_REFUSED',
            severity: 'critical',
            message: 'The card was declined for auto-refill',
          },
          { type: 'CHANGE_PAYMENT_METHOD', message: 'Use another payment method' },
        ),
      ]
    : [];
}

export function aboutAgents(agents: readonly Agent[]): readonly Concern[] {
  return agents
    .filter(({ status }) => status !== 'ACTIVE')
    .map(({ id, name, status }) =>
      concern(
        id,
        { type: 'AGENT_OFF', severity: 'info', message: `The agent ${name} is ${status}` },
        { type: 'ACTIVATE_AGENT', message: `Activate the agent ${name}, or delete it` },
      ),
    );
}

export function aboutPosts(failed: number): readonly Concern[] {
  return failed === 0
    ? []
    : [
        concern(
          'posts',
          {
            type: 'POSTS_FAILED',
            severity: 'warning',
            message: `${failed} posts of the last 7 days were not published`,
          },
          { type: 'REVIEW_POSTS', message: 'Check why they failed and reschedule them' },
        ),
      ];
}

export function aboutWebhooks(failing: readonly FailingWebhook[]): readonly Concern[] {
  return failing.map(({ sourceId, isGone }) =>
    concern(
      sourceId,
      {
        type: isGone ? 'WEBHOOK_GONE' : 'WEBHOOK_FAILING',
        severity: 'warning',
        message: isGone
          ? `The webhook endpoint for ${sourceId} returned 410 Gone`
          : `The webhook endpoint for ${sourceId} rejects events`,
      },
      { type: 'CHECK_WEBHOOK', message: 'Fix the webhook endpoint and replay failed deliveries' },
    ),
  );
}

export function aboutWaitingCustomers(waitingSince: string | undefined): readonly Concern[] {
  return waitingSince === undefined
    ? []
    : [
        concern(
          'conversations',
          {
            type: 'CUSTOMER_WAITING',
            severity: 'warning',
            message: `A customer has been waiting for an answer since ${waitingSince}`,
          },
          {
            type: 'ANSWER_CUSTOMERS',
            message: 'Answer the customers who wait, or hand their conversations back to the agent',
          },
        ),
      ];
}
