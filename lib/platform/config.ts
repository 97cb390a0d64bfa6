/** Reads the environment, and fails loudly for what is missing. Names only stand there, no secrets. */

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

/** A whole number of 0 or more, or the default where the variable is not set. */
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

/** The origin, with a path where there is one, under which a service answers; no slash at the end. */
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
  /** The URL of a worker's queue is this and the worker's name. */
  get queueUrlPrefix() {
    return required('QUEUE_URL_PREFIX');
  },
  /** Where files for callers lie. */
  get filesBucket() {
    return required('FILES_BUCKET');
  },
  /** Where the links in mails lead. */
  get appUrl() {
    return required('APP_URL');
  },
  /** The origin under which this service is reached. */
  get publicBaseUrl() {
    return required('PUBLIC_BASE_URL');
  },
  get mailFrom() {
    return required('MAIL_FROM');
  },
  get allowedOrigins() {
    return list('ALLOWED_ORIGINS');
  },
  /** Exact origins that strangers' URLs may name although they are neither https nor public. */
  get webhookAllowedOrigins() {
    return list('WEBHOOK_ALLOWED_ORIGINS');
  },
  get trustedProxies() {
    return list('TRUSTED_PROXIES');
  },
  get bcryptCost() {
    return wholeNumber('BCRYPT_COST', 12);
  },
  /** Credits that the organization of a signup begins with. */
  get welcomeCredits() {
    return wholeNumber('WELCOME_CREDITS', 100);
  },
  /** The plans as JSON, where they are not the ones that the service has by itself. */
  get billingPlans() {
    return optional('BILLING_PLANS');
  },
  /** So often an instance writes what it has measured, at most; 0: never. */
  get metricsFlushSeconds() {
    return wholeNumber('METRICS_FLUSH_SECONDS', 10);
  },
  /** Set by an operator who works on the service: it calls itself in maintenance. */
  get isInMaintenance() {
    return /^(1|true|yes|on)$/i.test(optional('MAINTENANCE_MODE') ?? '');
  },
  get region() {
    return required('AWS_REGION');
  },
  /** How long one call of the table may take, in milliseconds. */
  get tableTimeoutMs() {
    return wholeNumber('TABLE_TIMEOUT_MS', 4_000);
  },
  /** How long one call of a queue may take, in milliseconds. */
  get queueTimeoutMs() {
    return wholeNumber('QUEUE_TIMEOUT_MS', 2_000);
  },
  /** How long one call of the mail service may take, in milliseconds. */
  get mailTimeoutMs() {
    return wholeNumber('MAIL_TIMEOUT_MS', 5_000);
  },
  /** How long one call of the payment provider may take, in milliseconds. */
  get paymentTimeoutMs() {
    return wholeNumber('PAYMENT_TIMEOUT_MS', 4_000);
  },
  /** How long one call of a social network may take, in milliseconds. */
  get networkTimeoutMs() {
    return wholeNumber('NETWORK_TIMEOUT_MS', 4_000);
  },
  /** How long one upload of media to a social network may take, in milliseconds. */
  get networkUploadTimeoutMs() {
    return wholeNumber('NETWORK_UPLOAD_TIMEOUT_MS', 60_000);
  },
  /** How long the receiver of an event may take to answer, in milliseconds. */
  get webhookTimeoutMs() {
    return wholeNumber('WEBHOOK_TIMEOUT_MS', 10_000);
  },
  /** The AI service: any server that speaks its protocol. */
  ai: {
    get baseUrl() {
      return optional('OPENAI_BASE_URL');
    },
    get model() {
      return optional('OPENAI_MODEL') ?? 'gpt-4.1-mini';
    },
    /** In hundredths, as the service takes 0 to 2. */
    get temperature() {
      return wholeNumber('OPENAI_TEMPERATURE_PERCENT', 30) / 100;
    },
    get maxTokens() {
      return wholeNumber('OPENAI_MAX_TOKENS', 800);
    },
    /** How long one call may take, in milliseconds. */
    get timeoutMs() {
      return wholeNumber('OPENAI_TIMEOUT_MS', 15_000);
    },
    /** The same while somebody waits for the answer of an endpoint, which makes two such calls. */
    get interactiveTimeoutMs() {
      return wholeNumber('OPENAI_INTERACTIVE_TIMEOUT_MS', 4_500);
    },
    /** For how long a customer who writes on keeps the answer waiting. */
    get quietMs() {
      return wholeNumber('REPLY_QUIET_SECONDS', 4) * 1_000;
    },
  },
  /** Where each network answers, and which version of its API is meant. */
  networks: {
    get facebook() {
      return versioned('FACEBOOK', 'https://graph.facebook.com', 'v25.0');
    },
    get instagram() {
      return versioned('INSTAGRAM', 'https://graph.instagram.com', 'v25.0');
    },
    get tiktok() {
      return {
        apiBase: base('TIKTOK_API_BASE', 'https://open.tiktokapis.com'),
        businessApiBase: base('TIKTOK_BUSINESS_API_BASE', 'https://business-api.tiktok.com'),
      };
    },
    get twitter() {
      return { apiBase: base('TWITTER_API_BASE', 'https://api.x.com') };
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
        analyticsBase: base('YOUTUBE_ANALYTICS_BASE', 'https://youtubeanalytics.googleapis.com'),
        hubBase: base('YOUTUBE_HUB_BASE', 'https://pubsubhubbub.appspot.com'),
      };
    },
    /** How many of a day's units looks for comments may take, over all accounts; 0: none. */
    get youtubeCommentCallsPerDay() {
      return wholeNumber('YOUTUBE_COMMENT_CALLS_PER_DAY', 5_000);
    },
  },
  /** After so many days in which nobody writes, a conversation is closed; 0: never. */
  get conversationCloseDays() {
    return wholeNumber('CONVERSATION_CLOSE_DAYS', 30);
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
  get stripeApiBase() {
    return optional('STRIPE_API_BASE');
  },
};
