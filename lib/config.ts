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
  get trustedProxies() {
    return list('TRUSTED_PROXIES');
  },
  get bcryptCost() {
    return wholeNumber('BCRYPT_COST', 12);
  },
  /** How long one call of the table may take, in milliseconds. */
  get tableTimeoutMs() {
    return wholeNumber('TABLE_TIMEOUT_MS', 4_000);
  },
  /** How long one call of the payment provider may take, in milliseconds. */
  get paymentTimeoutMs() {
    return wholeNumber('PAYMENT_TIMEOUT_MS', 4_000);
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
  get stripeApiBase() {
    return optional('STRIPE_API_BASE');
  },
};
