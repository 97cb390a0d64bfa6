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

/** The lengths of the windows, in seconds. */
const windows = { minute: 60, quarterHour: 900, hour: 3_600, day: 86_400 } as const;

type Options = Pick<RateLimitPolicy, 'clearable' | 'inShares'>;

type Row<More> = readonly [
  limit: number,
  window: keyof typeof windows,
  per: RateLimitPolicy['per'],
  variable: string,
  more?: More,
];

/** Allows requests while the counter is unreachable. */
function open<const More extends Options = Options>(...row: Row<More>) {
  return policyOf('open', row);
}

/** Rejects requests while the counter is unreachable. */
function closed<const More extends Options = Options>(...row: Row<More>) {
  return policyOf('closed', row);
}

function policyOf<More extends Options>(
  whenUnavailable: RateLimitPolicy['whenUnavailable'],
  [limit, window, per, variable, more]: Row<More>,
) {
  const policy = { limit, windowSeconds: windows[window], per, variable, whenUnavailable };

  return { ...policy, ...more } as RateLimitPolicy & More;
}

export const rateLimits = {
  /** Every request of a signed-in user. */
  requests: open(600, 'minute', 'user', 'REQUEST_LIMIT_PER_USER', { inShares: true }),
  /** Every request of a member. */
  organizationRequests: open(3_000, 'minute', 'organization', 'REQUEST_LIMIT_PER_ORGANIZATION', {
    inShares: true,
  }),
  publicPages: open(300, 'minute', 'ip', 'PUBLIC_LIMIT_PER_IP', { inShares: true }),
  /** The documents of the API. Without compression, the largest has 1.7 MB. */
  documents: open(60, 'minute', 'ip', 'DOCUMENT_LIMIT_PER_IP'),
  /** The page and the assets of the web app. Opening it needs about ten requests. */
  app: open(600, 'minute', 'ip', 'APP_LIMIT_PER_IP', { inShares: true }),
  /** Requests with an API key that does not exist. Each instance counts for itself. */
  rejectedKeys: open(60, 'minute', 'ip', 'REJECTED_KEY_LIMIT_PER_IP', { inShares: true }),
  /** Submissions of public forms. */
  formSubmissions: open(10, 'minute', 'ip', 'FORM_LIMIT_PER_IP'),
  /** A network sends the events of all organizations from a few IP addresses. */
  webhooks: open(30_000, 'minute', 'ip', 'WEBHOOK_LIMIT_PER_IP', { inShares: true }),
  /** Calls to the AI service per UTC day: replies, tests and debugging. */
  aiCalls: open(10_000, 'day', 'organization', 'AI_CALLS_PER_ORGANIZATION_DAY', { inShares: true }),
  /** Calls per UTC day that users cause to networks whose quota all organizations share. */
  networkCalls: closed(2_000, 'day', 'organization', 'NETWORK_CALLS_PER_ORGANIZATION_DAY'),
  accountSync: closed(10, 'minute', 'account', 'SYNC_LIMIT_PER_ACCOUNT'),
  accountLiveData: closed(10, 'minute', 'account', 'LIVE_DATA_LIMIT_PER_ACCOUNT'),
  accountPages: closed(10, 'minute', 'account', 'PAGES_LIMIT_PER_ACCOUNT'),
  accountTokenCheck: closed(10, 'minute', 'account', 'TOKEN_CHECK_LIMIT_PER_ACCOUNT'),
  accountPreflight: closed(10, 'minute', 'account', 'PREFLIGHT_LIMIT_PER_ACCOUNT'),
  signup: closed(20, 'hour', 'ip', 'SIGNUP_LIMIT_PER_IP'),
  loginAddress: closed(5, 'quarterHour', 'address', 'LOGIN_LIMIT_PER_ADDRESS', { clearable: true }),
  loginDevice: closed(5, 'quarterHour', 'device', 'LOGIN_LIMIT_PER_DEVICE', { clearable: true }),
  loginIp: closed(50, 'quarterHour', 'ip', 'LOGIN_LIMIT_PER_IP'),
  passwordChange: closed(5, 'quarterHour', 'user', 'PASSWORD_CHANGE_LIMIT_PER_USER'),
  passwordResetAddress: closed(5, 'hour', 'address', 'PASSWORD_RESET_LIMIT_PER_ADDRESS'),
  accountRecovery: closed(30, 'hour', 'ip', 'ACCOUNT_RECOVERY_LIMIT_PER_IP'),
  emailVerification: closed(5, 'hour', 'user', 'EMAIL_VERIFICATION_LIMIT_PER_USER'),
  emailChange: closed(20, 'hour', 'user', 'EMAIL_CHANGE_LIMIT_PER_USER'),
  invitation: open(100, 'hour', 'user', 'INVITATION_LIMIT_PER_USER'),
  invitationAddress: closed(3, 'day', 'address', 'INVITATION_LIMIT_PER_ADDRESS'),
  invitationUnverified: closed(20, 'day', 'user', 'INVITATION_LIMIT_PER_UNVERIFIED_USER'),
  payment: closed(10, 'minute', 'user', 'BILLING_PAYMENT_LIMIT_PER_USER'),
  reporting: open(20, 'minute', 'user', 'BILLING_REPORTING_LIMIT_PER_USER'),
  standard: open(100, 'minute', 'user', 'BILLING_STANDARD_LIMIT_PER_USER'),
  aiTest: closed(20, 'minute', 'user', 'AI_TEST_LIMIT_PER_USER'),
  aiTestOrganization: closed(200, 'hour', 'organization', 'AI_TEST_LIMIT_PER_ORGANIZATION'),
  aiReplies: closed(1_000, 'hour', 'account', 'AI_REPLIES_PER_ACCOUNT_HOUR'),
  health: open(60, 'minute', 'user', 'HEALTH_LIMIT_PER_USER'),
  healthPublic: open(120, 'minute', 'ip', 'HEALTH_LIMIT_PER_IP'),
};

export type RateLimitName = keyof typeof rateLimits;
