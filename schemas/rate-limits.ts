/**
 * Rate limit with fixed windows: at most `limit` requests per window, so at most twice as many in
 * any period of the same length.
 *
 * `whenUnavailable` applies while the counter is unreachable. Payment and sign-in then reject
 * requests, and everything else allows them.
 */
export type RateLimitPolicy = {
  readonly limit: number;
  readonly windowSeconds: number;
  readonly per: 'user' | 'ip' | 'address' | 'device' | 'organization' | 'account';
  /** Environment variable that overrides `limit`. */
  readonly variable: string;
  readonly whenUnavailable: 'open' | 'closed';
  /** Counters can be cleared, so instances must not cache that one is exhausted. */
  readonly clearable?: true;
  /**
   * Instances count in memory and add to the shared counter in shares of 1%, because a write for
   * each request would cost more than the request. Limits below 200 are exact.
   */
  readonly inShares?: true;
};

export const rateLimits = {
  /** Every request of a signed-in user. */
  requests: {
    limit: 600,
    windowSeconds: 60,
    per: 'user',
    variable: 'REQUEST_LIMIT_PER_USER',
    whenUnavailable: 'open',
    inShares: true,
  },
  /** Every request of a member. */
  organizationRequests: {
    limit: 3_000,
    windowSeconds: 60,
    per: 'organization',
    variable: 'REQUEST_LIMIT_PER_ORGANIZATION',
    whenUnavailable: 'open',
    inShares: true,
  },
  publicPages: {
    limit: 300,
    windowSeconds: 60,
    per: 'ip',
    variable: 'PUBLIC_LIMIT_PER_IP',
    whenUnavailable: 'open',
    inShares: true,
  },
  /** The documents of the API. Without compression, the largest has 1.7 MB. */
  documents: {
    limit: 60,
    windowSeconds: 60,
    per: 'ip',
    variable: 'DOCUMENT_LIMIT_PER_IP',
    whenUnavailable: 'open',
  },
  /** The page and the assets of the web app. Opening it needs about ten requests. */
  app: {
    limit: 600,
    windowSeconds: 60,
    per: 'ip',
    variable: 'APP_LIMIT_PER_IP',
    whenUnavailable: 'open',
    inShares: true,
  },
  /** Requests with an API key that does not exist. Each instance counts for itself. */
  rejectedKeys: {
    limit: 60,
    windowSeconds: 60,
    per: 'ip',
    variable: 'REJECTED_KEY_LIMIT_PER_IP',
    whenUnavailable: 'open',
    inShares: true,
  },
  /** Submissions of public forms. */
  formSubmissions: {
    limit: 10,
    windowSeconds: 60,
    per: 'ip',
    variable: 'FORM_LIMIT_PER_IP',
    whenUnavailable: 'open',
  },
  /** A network sends the events of all organizations from a few IP addresses. */
  webhooks: {
    limit: 30_000,
    windowSeconds: 60,
    per: 'ip',
    variable: 'WEBHOOK_LIMIT_PER_IP',
    whenUnavailable: 'open',
    inShares: true,
  },
  /** Calls to the AI service per UTC day: replies, tests and debugging. */
  aiCalls: {
    limit: 10_000,
    windowSeconds: 86_400,
    per: 'organization',
    variable: 'AI_CALLS_PER_ORGANIZATION_DAY',
    whenUnavailable: 'open',
    inShares: true,
  },
  /** Calls per UTC day that users cause to networks whose quota all organizations share. */
  networkCalls: {
    limit: 2_000,
    windowSeconds: 86_400,
    per: 'organization',
    variable: 'NETWORK_CALLS_PER_ORGANIZATION_DAY',
    whenUnavailable: 'closed',
  },
  accountSync: {
    limit: 10,
    windowSeconds: 60,
    per: 'account',
    variable: 'SYNC_LIMIT_PER_ACCOUNT',
    whenUnavailable: 'closed',
  },
  accountLiveData: {
    limit: 10,
    windowSeconds: 60,
    per: 'account',
    variable: 'LIVE_DATA_LIMIT_PER_ACCOUNT',
    whenUnavailable: 'closed',
  },
  accountPages: {
    limit: 10,
    windowSeconds: 60,
    per: 'account',
    variable: 'PAGES_LIMIT_PER_ACCOUNT',
    whenUnavailable: 'closed',
  },
  accountTokenCheck: {
    limit: 10,
    windowSeconds: 60,
    per: 'account',
    variable: 'TOKEN_CHECK_LIMIT_PER_ACCOUNT',
    whenUnavailable: 'closed',
  },
  accountPreflight: {
    limit: 10,
    windowSeconds: 60,
    per: 'account',
    variable: 'PREFLIGHT_LIMIT_PER_ACCOUNT',
    whenUnavailable: 'closed',
  },
  signup: {
    limit: 20,
    windowSeconds: 3600,
    per: 'ip',
    variable: 'SIGNUP_LIMIT_PER_IP',
    whenUnavailable: 'closed',
  },
  loginAddress: {
    limit: 5,
    windowSeconds: 900,
    per: 'address',
    variable: 'LOGIN_LIMIT_PER_ADDRESS',
    whenUnavailable: 'closed',
    clearable: true,
  },
  loginDevice: {
    limit: 5,
    windowSeconds: 900,
    per: 'device',
    variable: 'LOGIN_LIMIT_PER_DEVICE',
    whenUnavailable: 'closed',
    clearable: true,
  },
  loginIp: {
    limit: 50,
    windowSeconds: 900,
    per: 'ip',
    variable: 'LOGIN_LIMIT_PER_IP',
    whenUnavailable: 'closed',
  },
  passwordChange: {
    limit: 5,
    windowSeconds: 900,
    per: 'user',
    variable: 'PASSWORD_CHANGE_LIMIT_PER_USER',
    whenUnavailable: 'closed',
  },
  passwordResetAddress: {
    limit: 5,
    windowSeconds: 3600,
    per: 'address',
    variable: 'PASSWORD_RESET_LIMIT_PER_ADDRESS',
    whenUnavailable: 'closed',
  },
  accountRecovery: {
    limit: 30,
    windowSeconds: 3600,
    per: 'ip',
    variable: 'ACCOUNT_RECOVERY_LIMIT_PER_IP',
    whenUnavailable: 'closed',
  },
  emailVerification: {
    limit: 5,
    windowSeconds: 3600,
    per: 'user',
    variable: 'EMAIL_VERIFICATION_LIMIT_PER_USER',
    whenUnavailable: 'closed',
  },
  emailChange: {
    limit: 20,
    windowSeconds: 3600,
    per: 'user',
    variable: 'EMAIL_CHANGE_LIMIT_PER_USER',
    whenUnavailable: 'closed',
  },
  invitation: {
    limit: 100,
    windowSeconds: 3600,
    per: 'user',
    variable: 'INVITATION_LIMIT_PER_USER',
    whenUnavailable: 'open',
  },
  invitationAddress: {
    limit: 3,
    windowSeconds: 86_400,
    per: 'address',
    variable: 'INVITATION_LIMIT_PER_ADDRESS',
    whenUnavailable: 'closed',
  },
  invitationUnverified: {
    limit: 20,
    windowSeconds: 86_400,
    per: 'user',
    variable: 'INVITATION_LIMIT_PER_UNVERIFIED_USER',
    whenUnavailable: 'closed',
  },
  payment: {
    limit: 10,
    windowSeconds: 60,
    per: 'user',
    variable: 'BILLING_PAYMENT_LIMIT_PER_USER',
    whenUnavailable: 'closed',
  },
  reporting: {
    limit: 20,
    windowSeconds: 60,
    per: 'user',
    variable: 'BILLING_REPORTING_LIMIT_PER_USER',
    whenUnavailable: 'open',
  },
  standard: {
    limit: 100,
    windowSeconds: 60,
    per: 'user',
    variable: 'BILLING_STANDARD_LIMIT_PER_USER',
    whenUnavailable: 'open',
  },
  aiTest: {
    limit: 20,
    windowSeconds: 60,
    per: 'user',
    variable: 'AI_TEST_LIMIT_PER_USER',
    whenUnavailable: 'closed',
  },
  aiTestOrganization: {
    limit: 200,
    windowSeconds: 3600,
    per: 'organization',
    variable: 'AI_TEST_LIMIT_PER_ORGANIZATION',
    whenUnavailable: 'closed',
  },
  aiReplies: {
    limit: 1_000,
    windowSeconds: 3600,
    per: 'account',
    variable: 'AI_REPLIES_PER_ACCOUNT_HOUR',
    whenUnavailable: 'closed',
  },
  health: {
    limit: 60,
    windowSeconds: 60,
    per: 'user',
    variable: 'HEALTH_LIMIT_PER_USER',
    whenUnavailable: 'open',
  },
  healthPublic: {
    limit: 120,
    windowSeconds: 60,
    per: 'ip',
    variable: 'HEALTH_LIMIT_PER_IP',
    whenUnavailable: 'open',
  },
} as const satisfies Record<string, RateLimitPolicy>;

export type RateLimitName = keyof typeof rateLimits;
