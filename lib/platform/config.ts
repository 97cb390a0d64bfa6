/** Reads a required variable. Variables contain the names of secrets, never the secrets. */

function required(name: string): string {
  const value = process.env[name];
  if (!value) {
    throw new Error(`The environment variable ${name} is missing: see .env.example`);
  }

  return value;
}

function optional(name: string): string | undefined {
  return process.env[name] || undefined;
}

function list(name: string): readonly string[] {
  return (process.env[name] ?? '')
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}

/** Reads an integer of at least 0. Returns the default if the variable is not set. */
export function wholeNumber(name: string, fallback: number): number {
  const value = process.env[name];
  if (!value) {
    return fallback;
  }
  if (!/^\d+$/.test(value)) {
    throw new Error(`The environment variable ${name} must be a whole number, not "${value}"`);
  }

  return Number(value);
}

/** Reads a service's base URL, without a trailing slash. */
function base(name: string, fallback: string): string {
  return (optional(name) ?? fallback).replace(/\/+$/, '');
}

function versioned(network: string, fallback: string, version: string) {
  return {
    apiBase: base(`${network}_API_BASE`, fallback),
    apiVersion: optional(`${network}_API_VERSION`) ?? version,
  };
}

/** Returns an object whose properties call these functions each time they are read. */
function lazily<Values extends Readonly<Record<string, () => unknown>>>(values: Values) {
  const properties = Object.entries(values).map(([name, get]) => [name, { get, enumerable: true }]);

  return Object.defineProperties({}, Object.fromEntries(properties)) as {
    readonly [Name in keyof Values]: ReturnType<Values[Name]>;
  };
}

/** The AI service: any OpenAI-compatible server. */
const ai = lazily({
  baseUrl: () => optional('OPENAI_BASE_URL'),
  model: () => optional('OPENAI_MODEL') ?? 'gpt-6-luna',
  /** Knowledge that another model embedded is not found. */
  embeddingModel: () => optional('OPENAI_EMBEDDING_MODEL') ?? 'text-embedding-3-small',
  /** Set as a percentage: 30 means 0.3. The service accepts 0 to 2. */
  temperature: () => wholeNumber('OPENAI_TEMPERATURE_PERCENT', 30) / 100,
  maxTokens: () => wholeNumber('OPENAI_MAX_TOKENS', 800),
  timeoutMs: () => wholeNumber('OPENAI_TIMEOUT_MS', 15_000),
  /** Timeout of a call while a user waits for an endpoint, which makes up to two calls. */
  interactiveTimeoutMs: () => wholeNumber('OPENAI_INTERACTIVE_TIMEOUT_MS', 4_500),
  /** How long a reply waits for more messages of the customer. */
  quietMs: () => wholeNumber('REPLY_QUIET_SECONDS', 4) * 1_000,
});

const networks = lazily({
  facebook: () => ({
    ...versioned('FACEBOOK', 'https://graph.facebook.com', 'v25.0'),
    authBase: base('FACEBOOK_AUTH_BASE', 'https://www.facebook.com'),
  }),
  instagram: () => ({
    ...versioned('INSTAGRAM', 'https://graph.instagram.com', 'v25.0'),
    authBase: base('INSTAGRAM_AUTH_BASE', 'https://www.instagram.com'),
    oauthBase: base('INSTAGRAM_OAUTH_BASE', 'https://api.instagram.com'),
  }),
  tiktok: () => ({
    apiBase: base('TIKTOK_API_BASE', 'https://open.tiktokapis.com'),
    businessApiBase: base('TIKTOK_BUSINESS_API_BASE', 'https://business-api.tiktok.com'),
    authBase: base('TIKTOK_AUTH_BASE', 'https://www.tiktok.com'),
  }),
  twitter: () => ({
    apiBase: base('TWITTER_API_BASE', 'https://api.x.com'),
    authBase: base('TWITTER_AUTH_BASE', 'https://x.com'),
  }),
  linkedin: () => ({
    ...versioned('LINKEDIN', 'https://api.linkedin.com', '202608'),
    oauthBase: base('LINKEDIN_OAUTH_BASE', 'https://www.linkedin.com'),
  }),
  youtube: () => ({
    apiBase: base('YOUTUBE_API_BASE', 'https://youtube.googleapis.com'),
    uploadBase: base('YOUTUBE_UPLOAD_BASE', 'https://www.googleapis.com'),
    oauthBase: base('YOUTUBE_OAUTH_BASE', 'https://oauth2.googleapis.com'),
    authBase: base('YOUTUBE_AUTH_BASE', 'https://accounts.google.com'),
    analyticsBase: base('YOUTUBE_ANALYTICS_BASE', 'https://youtubeanalytics.googleapis.com'),
    hubBase: base('YOUTUBE_HUB_BASE', 'https://pubsubhubbub.appspot.com'),
  }),
  /** Daily YouTube API units for fetching comments of all accounts; 0 disables it. */
  youtubeCommentCallsPerDay: () => wholeNumber('YOUTUBE_COMMENT_CALLS_PER_DAY', 5_000),
});

const google = lazily({
  /** The app's client id at Google. Without it, nobody can sign in with Google. */
  clientId: () => optional('GOOGLE_CLIENT_ID'),
  /** The URL of Google's sign-in page. */
  authUrl: () => optional('GOOGLE_AUTH_URL') ?? 'https://accounts.google.com/o/oauth2/v2/auth',
  certsUrl: () => optional('GOOGLE_CERTS_URL') ?? 'https://www.googleapis.com/oauth2/v3/certs',
});

export const config = lazily({
  stage: () => required('STAGE'),
  tableName: () => required('TABLE_NAME'),
  secretId: () => required('SECRET_ID'),
  /** A worker's queue URL is this prefix plus the worker's name. */
  queueUrlPrefix: () => required('QUEUE_URL_PREFIX'),
  filesBucket: () => required('FILES_BUCKET'),
  /** A percentage that scales `maxConcurrency` of all workers. */
  workerConcurrencyPercent: () => wholeNumber('WORKER_CONCURRENCY_PERCENT', 100),
  /** The URL of the WebSocket API for browsers. */
  websocketUrl: () => required('WEBSOCKET_URL'),
  /** Base URL of the links in emails: the web app, or another front end if one is configured. */
  appUrl: (): string => optional('APP_URL') ?? `${config.publicBaseUrl}/app`,
  /** Origins that may embed the web app in a frame. */
  embedOrigins: () => list('EMBED_ORIGINS'),
  stripePublishableKey: () => optional('STRIPE_PUBLISHABLE_KEY'),
  publicBaseUrl: () => required('PUBLIC_BASE_URL'),
  mailFrom: () => required('MAIL_FROM'),
  /** With this set, SES suppresses bounced addresses and counts bounces. */
  mailConfigurationSet: () => optional('MAIL_CONFIGURATION_SET'),
  allowedOrigins: () => list('ALLOWED_ORIGINS'),
  /** Origins that user-supplied URLs may use even if they are not https or not public. */
  webhookAllowedOrigins: () => list('WEBHOOK_ALLOWED_ORIGINS'),
  trustedProxies: () => list('TRUSTED_PROXIES'),
  bcryptCost: () => wholeNumber('BCRYPT_COST', 12),
  welcomeCredits: () => wholeNumber('WELCOME_CREDITS', 100),
  /** The number of signups with the same card that get welcome credits. */
  welcomeCreditsPerCard: () => wholeNumber('WELCOME_CREDITS_PER_CARD', 1),
  /** The plans as JSON, overriding the defaults. */
  billingPlans: () => optional('BILLING_PLANS'),
  /** Prices of network calls as JSON, overriding the defaults. */
  networkCallPrices: () => optional('NETWORK_CALL_PRICES'),
  /** Minimum seconds between two metric flushes of an instance; 0 disables them. */
  metricsFlushSeconds: () => wholeNumber('METRICS_FLUSH_SECONDS', 10),
  /** Set by the operator to put the service in maintenance mode. */
  isInMaintenance: () => /^(1|true|yes|on)$/i.test(optional('MAINTENANCE_MODE') ?? ''),
  region: () => required('AWS_REGION'),
  tableTimeoutMs: () => wholeNumber('TABLE_TIMEOUT_MS', 4_000),
  queueTimeoutMs: () => wholeNumber('QUEUE_TIMEOUT_MS', 2_000),
  mailTimeoutMs: () => wholeNumber('MAIL_TIMEOUT_MS', 5_000),
  paymentTimeoutMs: () => wholeNumber('PAYMENT_TIMEOUT_MS', 4_000),
  networkTimeoutMs: () => wholeNumber('NETWORK_TIMEOUT_MS', 4_000),
  networkUploadTimeoutMs: () => wholeNumber('NETWORK_UPLOAD_TIMEOUT_MS', 60_000),
  webhookTimeoutMs: () => wholeNumber('WEBHOOK_TIMEOUT_MS', 10_000),
  ai: () => ai,
  networks: () => networks,
  /** Conversations without messages are closed after this many days; 0 disables it. */
  conversationCloseDays: () => wholeNumber('CONVERSATION_CLOSE_DAYS', 30),
  /** Minimum minutes between two digests of unanswered conversations to a member. */
  unansweredDigestMinutes: () => wholeNumber('UNANSWERED_DIGEST_MINUTES', 15),
  dynamodbEndpoint: () => optional('DYNAMODB_ENDPOINT'),
  secretsManagerEndpoint: () => optional('SECRETS_MANAGER_ENDPOINT'),
  sesEndpoint: () => optional('SES_ENDPOINT'),
  sqsEndpoint: () => optional('SQS_ENDPOINT'),
  s3Endpoint: () => optional('S3_ENDPOINT'),
  google: () => google,
  stripeApiBase: () => optional('STRIPE_API_BASE'),
});
