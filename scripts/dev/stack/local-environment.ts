import { platforms } from '#schemas/platforms.ts';
import { defaultSettings, isAwsItself, type Settings, settingNames } from './settings.ts';

/** The origins of the stack's parts, without a trailing slash. */
export type Addresses = {
  readonly api: string;
  readonly dynamodb: string;
  readonly aws: string;
  readonly sandbox: string;
  /** Without it, the sandbox simulates the WebSocket API. */
  readonly websocket?: string;
};

/** Only read by the stack itself and not passed to the functions. */
const stackOnly: ReadonlySet<string> = new Set([
  'PORT',
  'LAMBDA_PORT',
  'DYNAMODB_PORT',
  'AWS_PORT',
  'SANDBOX_PORT',
  'WEBSOCKET_PORT',
  'INSPECT_PORT',
  'DATA_DIR',
  'LOG',
  'ENV_FILE',
  'STRIPE_SECRET_KEY',
  'JWT_SECRET',
  'ENCRYPTION_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'OPENAI_API_KEY',
  'OPERATOR_KEY',
  'LINKEDIN_APP_ID',
  'TIKTOK_BUSINESS_CLIENT_ID',
  'TIKTOK_BUSINESS_CLIENT_SECRET',
  'TIKTOK_BUSINESS_WEBHOOK_SECRET',
  ...platforms.flatMap((platform) =>
    ['CLIENT_ID', 'CLIENT_SECRET', 'WEBHOOK_SECRET', 'VERIFY_TOKEN', 'APP_TOKEN'].map(
      (part) => `${platform}_${part}`,
    ),
  ),
]);

const awsEndpoints = [
  'DYNAMODB_ENDPOINT',
  'SECRETS_MANAGER_ENDPOINT',
  'SES_ENDPOINT',
  'SQS_ENDPOINT',
  'S3_ENDPOINT',
] as const;

/** Returns the service's complete environment. Contains nothing from the shell. */
export function localEnvironment(
  addresses: Addresses,
  settings: Settings = {},
): Readonly<Record<string, string>> {
  const all: Settings = { ...defaultSettings(), ...settings };
  const derived = {
    DYNAMODB_ENDPOINT: addresses.dynamodb,
    SECRETS_MANAGER_ENDPOINT: addresses.sandbox,
    SES_ENDPOINT: addresses.sandbox,
    SQS_ENDPOINT: addresses.aws,
    S3_ENDPOINT: addresses.aws,
    QUEUE_URL_PREFIX: `${addresses.aws}/000000000000/social-leads-${all.STAGE}-`,
    STRIPE_API_BASE: addresses.sandbox,
    OPENAI_BASE_URL: `${addresses.sandbox}/v1`,
    GOOGLE_AUTH_URL: `${addresses.sandbox}/google/o/oauth2/v2/auth`,
    GOOGLE_CERTS_URL: googleCertsUrl(addresses.sandbox),
    ...networkAddresses(addresses.sandbox),
    // The sandbox receives webhooks and serves files; networks fetch media from the storage.
    WEBHOOK_ALLOWED_ORIGINS: `${addresses.sandbox},${addresses.aws}`,
    PUBLIC_BASE_URL: addresses.api,
    WEBSOCKET_URL: addresses.websocket ?? sandboxWebsocket(addresses.sandbox),
    APP_URL: `${addresses.api}/app`,
    ALLOWED_ORIGINS: addresses.api,
  };
  const merged: Settings = { ...derived, ...all, ...credentials(all) };

  return Object.fromEntries(
    Object.entries(merged).filter(
      (entry): entry is [string, string] => Boolean(entry[1]) && !stackOnly.has(entry[0]),
    ),
  );
}

export function googleCertsUrl(sandbox: string): string {
  return `${sandbox}/google/oauth2/v3/certs`;
}

/** The URL of the WebSocket API that the sandbox simulates. */
export function sandboxWebsocket(sandbox: string): string {
  return `${sandbox.replace(/^http/, 'ws')}/live`;
}

/** Each network has its own path prefix in the sandbox because two of them share paths. */
export function networkAddresses(sandbox: string): Readonly<Record<string, string>> {
  return {
    FACEBOOK_API_BASE: `${sandbox}/facebook`,
    FACEBOOK_AUTH_BASE: `${sandbox}/facebook`,
    INSTAGRAM_API_BASE: `${sandbox}/instagram`,
    INSTAGRAM_AUTH_BASE: `${sandbox}/instagram`,
    INSTAGRAM_OAUTH_BASE: `${sandbox}/instagram`,
    TIKTOK_API_BASE: `${sandbox}/tiktok`,
    TIKTOK_BUSINESS_API_BASE: `${sandbox}/tiktok`,
    TIKTOK_AUTH_BASE: `${sandbox}/tiktok`,
    TWITTER_API_BASE: `${sandbox}/twitter`,
    TWITTER_AUTH_BASE: `${sandbox}/twitter`,
    LINKEDIN_API_BASE: `${sandbox}/linkedin`,
    LINKEDIN_OAUTH_BASE: `${sandbox}/linkedin`,
    YOUTUBE_API_BASE: `${sandbox}/youtube`,
    YOUTUBE_UPLOAD_BASE: `${sandbox}/youtube`,
    YOUTUBE_OAUTH_BASE: `${sandbox}/youtube`,
    YOUTUBE_AUTH_BASE: `${sandbox}/youtube`,
    YOUTUBE_ANALYTICS_BASE: `${sandbox}/youtube`,
    YOUTUBE_HUB_BASE: `${sandbox}/youtube`,
  };
}

/** The shell's environment without the variables that `localEnvironment` sets. */
export function foreignEnvironment(shell: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const own = new Set(settingNames());

  return Object.fromEntries(Object.entries(shell).filter(([name]) => !own.has(name)));
}

/**
 * Emulators accept any credentials. A developer's own credentials are used only if an endpoint was
 * replaced.
 */
function credentials(settings: Settings): Settings {
  const replaced = awsEndpoints.flatMap((name) => settings[name] ?? []);
  const hasOwn = Boolean(settings.AWS_ACCESS_KEY_ID ?? settings.AWS_PROFILE);
  if (replaced.some(isAwsItself) || (replaced.length > 0 && hasOwn)) {
    return {};
  }

  return {
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_SESSION_TOKEN: undefined,
    AWS_PROFILE: undefined,
  };
}
