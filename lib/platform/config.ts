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

export const config = {
  get stage() {
    return required('STAGE');
  },
  get tableName() {
    return required('TABLE_NAME');
  },
  get secretId() {
    return required('SECRET_ID');
  },
  /** A worker's queue URL is this prefix plus the worker's name. */
  get queueUrlPrefix() {
    return required('QUEUE_URL_PREFIX');
  },
  get filesBucket() {
    return required('FILES_BUCKET');
  },
  /** A percentage that scales `maxConcurrency` of all workers. */
  get workerConcurrencyPercent() {
    return wholeNumber('WORKER_CONCURRENCY_PERCENT', 100);
  },
  /** The URL of the WebSocket API for browsers. */
  get websocketUrl() {
    return required('WEBSOCKET_URL');
  },
  /** Base URL of the links in emails: the web app, or another front end if one is configured. */
  get appUrl() {
    return optional('APP_URL') ?? `${config.publicBaseUrl}/app`;
  },
  /** Origins that may embed the web app in a frame. */
  get embedOrigins() {
    return list('EMBED_ORIGINS');
  },
  get stripePublishableKey() {
    return optional('STRIPE_PUBLISHABLE_KEY');
  },
  get publicBaseUrl() {
    return required('PUBLIC_BASE_URL');
  },
  get mailFrom() {
    return required('MAIL_FROM');
  },
  /** With this set, SES suppresses bounced addresses and counts bounces. */
  get mailConfigurationSet() {
    return optional('MAIL_CONFIGURATION_SET');
  },
  get allowedOrigins() {
    return list('ALLOWED_ORIGINS');
  },
  /** Origins that user-supplied URLs may use even if they are not https or not public. */
  get webhookAllowedOrigins() {
    return list('WEBHOOK_ALLOWED_ORIGINS');
  },
  get trustedProxies() {
    return list('TRUSTED_PROXIES');
  },
  get bcryptCost() {
    return wholeNumber('BCRYPT_COST', 12);
  },
  get welcomeCredits() {
    return wholeNumber('WELCOME_CREDITS', 100);
  },
  /** The number of signups with the same card that get welcome credits. */
  get welcomeCreditsPerCard() {
    return wholeNumber('WELCOME_CREDITS_PER_CARD', 1);
  },
  /** The plans as JSON, overriding the defaults. */
  get billingPlans() {
    return optional('BILLING_PLANS');
  },
  /** Prices of network calls as JSON, overriding the defaults. */
  get networkCallPrices() {
    return optional('NETWORK_CALL_PRICES');
  },
  /** Minimum seconds between two metric flushes of an instance; 0 disables them. */
  get metricsFlushSeconds() {
    return wholeNumber('METRICS_FLUSH_SECONDS', 10);
  },
  /** Set by the operator to put the service in maintenance mode. */
  get isInMaintenance() {
    return /^(1|true|yes|on)$/i.test(optional('MAINTENANCE_MODE') ?? '');
  },
  get region() {
    return required('AWS_REGION');
  },
  get tableTimeoutMs() {
    return wholeNumber('TABLE_TIMEOUT_MS', 4_000);
  },
  get queueTimeoutMs() {
    return wholeNumber('QUEUE_TIMEOUT_MS', 2_000);
  },
  get mailTimeoutMs() {
    return wholeNumber('MAIL_TIMEOUT_MS', 5_000);
  },
  get paymentTimeoutMs() {
    return wholeNumber('PAYMENT_TIMEOUT_MS', 4_000);
  },
  get networkTimeoutMs() {
    return wholeNumber('NETWORK_TIMEOUT_MS', 4_000);
  },
  get networkUploadTimeoutMs() {
    return wholeNumber('NETWORK_UPLOAD_TIMEOUT_MS', 60_000);
  },
  get webhookTimeoutMs() {
    return wholeNumber('WEBHOOK_TIMEOUT_MS', 10_000);
  },
  /** The AI service: any OpenAI-compatible server. */
  ai: {
    get baseUrl() {
      return optional('OPENAI_BASE_URL');
    },
    get model() {
      return optional('OPENAI_MODEL') ?? 'gpt-6-luna';
    },
    /** Knowledge that another model embedded is not found. */
    get embeddingModel() {
      return optional('OPENAI_EMBEDDING_MODEL') ?? 'text-embedding-3-small';
    },
    /** Set as a percentage: 30 means 0.3. The service accepts 0 to 2. */
    get temperature() {
      return wholeNumber('OPENAI_TEMPERATURE_PERCENT', 30) / 100;
    },
    get maxTokens() {
      return wholeNumber('OPENAI_MAX_TOKENS', 800);
    },
    get timeoutMs() {
      return wholeNumber('OPENAI_TIMEOUT_MS', 15_000);
    },
    /** Timeout of a call while a user waits for an endpoint, which makes up to two calls. */
    get interactiveTimeoutMs() {
      return wholeNumber('OPENAI_INTERACTIVE_TIMEOUT_MS', 4_500);
    },
    /** How long a reply waits for more messages of the customer. */
    get quietMs() {
      return wholeNumber('REPLY_QUIET_SECONDS', 4) * 1_000;
    },
  },
  networks: {
    get facebook() {
      return {
        ...versioned('FACEBOOK', 'https://graph.facebook.com', 'v25.0'),
        authBase: base('FACEBOOK_AUTH_BASE', 'https://www.facebook.com'),
      };
    },
    get instagram() {
      return {
        ...versioned('INSTAGRAM', 'https://graph.instagram.com', 'v25.0'),
        authBase: base('INSTAGRAM_AUTH_BASE', 'https://www.instagram.com'),
        oauthBase: base('INSTAGRAM_OAUTH_BASE', 'https://api.instagram.com'),
      };
    },
    get tiktok() {
      return {
        apiBase: base('TIKTOK_API_BASE', 'https://open.tiktokapis.com'),
        businessApiBase: base('TIKTOK_BUSINESS_API_BASE', 'https://business-api.tiktok.com'),
        authBase: base('TIKTOK_AUTH_BASE', 'https://www.tiktok.com'),
      };
    },
    get twitter() {
      return {
        apiBase: base('TWITTER_API_BASE', 'https://api.x.com'),
        authBase: base('TWITTER_AUTH_BASE', 'https://x.com'),
      };
    },
    get linkedin() {
      return {
        ...versioned('LINKEDIN', 'https://api.linkedin.com', '202608'),
        oauthBase: base('LINKEDIN_OAUTH_BASE', 'https://www.linkedin.com'),
      };
    },
    get youtube() {
      return {
        apiBase: base('YOUTUBE_API_BASE', 'https://youtube.googleapis.com'),
        uploadBase: base('YOUTUBE_UPLOAD_BASE', 'https://www.googleapis.com'),
        oauthBase: base('YOUTUBE_OAUTH_BASE', 'https://oauth2.googleapis.com'),
        authBase: base('YOUTUBE_AUTH_BASE', 'https://accounts.google.com'),
        analyticsBase: base('YOUTUBE_ANALYTICS_BASE', 'https://youtubeanalytics.googleapis.com'),
        hubBase: base('YOUTUBE_HUB_BASE', 'https://pubsubhubbub.appspot.com'),
      };
    },
    /** Daily YouTube API units for fetching comments of all accounts; 0 disables it. */
    get youtubeCommentCallsPerDay() {
      return wholeNumber('YOUTUBE_COMMENT_CALLS_PER_DAY', 5_000);
    },
  },
  /** Conversations without messages are closed after this many days; 0 disables it. */
  get conversationCloseDays() {
    return wholeNumber('CONVERSATION_CLOSE_DAYS', 30);
  },
  /** Minimum minutes between two digests of unanswered conversations to a member. */
  get unansweredDigestMinutes() {
    return wholeNumber('UNANSWERED_DIGEST_MINUTES', 15);
  },
  get dynamodbEndpoint() {
    return optional('DYNAMODB_ENDPOINT');
  },
  get secretsManagerEndpoint() {
    return optional('SECRETS_MANAGER_ENDPOINT');
  },
  get sesEndpoint() {
    return optional('SES_ENDPOINT');
  },
  get sqsEndpoint() {
    return optional('SQS_ENDPOINT');
  },
  get s3Endpoint() {
    return optional('S3_ENDPOINT');
  },
  google: {
    /** The app's client id at Google. Without it, nobody can sign in with Google. */
    get clientId() {
      return optional('GOOGLE_CLIENT_ID');
    },
    /** The URL of Google's sign-in page. */
    get authUrl() {
      return optional('GOOGLE_AUTH_URL') ?? 'https://accounts.google.com/o/oauth2/v2/auth';
    },
    get certsUrl() {
      return optional('GOOGLE_CERTS_URL') ?? 'https://www.googleapis.com/oauth2/v3/certs';
    },
  },
  get stripeApiBase() {
    return optional('STRIPE_API_BASE');
  },
};
