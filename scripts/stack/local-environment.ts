import { defaultSettings, isAwsItself, type Settings, settingNames } from './settings.ts';

/** Where the parts answer, as origins without a slash at the end. */
export type Addresses = {
  readonly api: string;
  readonly dynamodb: string;
  readonly aws: string;
  readonly sandbox: string;
};

/** Read by the stack alone: no function gets them. */
const stackOnly = new Set([
  'PORT',
  'LAMBDA_PORT',
  'DYNAMODB_PORT',
  'AWS_PORT',
  'SANDBOX_PORT',
  'DATA_DIR',
  'LOG',
  'ENV_FILE',
  'STRIPE_SECRET_KEY',
  'JWT_SECRET',
  'ENCRYPTION_KEY',
]);

const awsEndpoints = [
  'DYNAMODB_ENDPOINT',
  'SECRETS_MANAGER_ENDPOINT',
  'SES_ENDPOINT',
  'SQS_ENDPOINT',
  'S3_ENDPOINT',
] as const;

/** All that tells the service where it runs: its whole environment, and nothing of the shell's. */
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
    PUBLIC_BASE_URL: addresses.api,
    APP_URL: addresses.api,
    ALLOWED_ORIGINS: addresses.api,
  };
  const merged: Settings = { ...derived, ...all, ...credentials(all) };

  return Object.fromEntries(
    Object.entries(merged).filter(
      (entry): entry is [string, string] => Boolean(entry[1]) && !stackOnly.has(entry[0]),
    ),
  );
}

/** The shell's environment without what only `localEnvironment` may say. */
export function foreignEnvironment(shell: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const own = new Set(settingNames());

  return Object.fromEntries(Object.entries(shell).filter(([name]) => !own.has(name)));
}

/** The emulators take any credentials; a developer's own go only where an address was replaced. */
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
