import { hashOperatorKey, isOperatorKey } from '#lib/platform/identity/operator-key.ts';
import type { NetworkApp, Secrets } from '#lib/platform/secrets/secrets.ts';
import { type Platform, platforms } from '#schemas/platforms.ts';

type Variables = Readonly<Record<string, string | undefined>>;

const credentialVariables = {
  clientId: 'CLIENT_ID',
  clientSecret: 'CLIENT_SECRET',
  webhookSecret: 'WEBHOOK_SECRET',
} as const satisfies Record<keyof NonNullable<NetworkApp['business']>, string>;

/** The variable of each field is the platform's name followed by this, such as `TIKTOK_APP_ID`. */
const fieldVariables = {
  ...credentialVariables,
  appId: 'APP_ID',
  verifyToken: 'VERIFY_TOKEN',
  appToken: 'APP_TOKEN',
} as const satisfies Record<Exclude<keyof NetworkApp, 'business'>, string>;

type Fields = Readonly<Record<string, string>>;

type NetworkFields = Readonly<Record<string, string | Fields>>;

/**
 * Returns the fields of a network's app from the variables, and in `business` the fields of its
 * second app, such as `TIKTOK_BUSINESS_CLIENT_ID`. An empty value counts as unset.
 */
export function networkFieldsOf(platform: Platform, variables: Variables): NetworkFields {
  const business = fieldsOf(`${platform}_BUSINESS`, credentialVariables, variables);

  return {
    ...fieldsOf(platform, fieldVariables, variables),
    ...(Object.keys(business).length > 0 ? { business } : {}),
  };
}

function fieldsOf(prefix: string, suffixes: Fields, variables: Variables): Fields {
  return Object.fromEntries(
    Object.entries(suffixes).flatMap(([field, suffix]) => {
      const value = variables[`${prefix}_${suffix}`];

      return value ? [[field, value]] : [];
    }),
  );
}

/** Returns the apps of all networks for which at least one variable is set. */
export function networkAppsOf(variables: Variables): Partial<Record<Platform, NetworkFields>> {
  return Object.fromEntries(
    platforms
      .map((platform) => [platform, networkFieldsOf(platform, variables)] as const)
      .filter(([, fields]) => Object.keys(fields).length > 0),
  );
}

/**
 * Returns the entry of an operator's key. Stores only the key's hash.
 *
 * @throws if the key is not `slo_` and 43 characters of base64url.
 */
export function operatorKeysOf(id: string, key: string | undefined): Secrets['operatorKeys'] {
  if (!key) {
    return [];
  }
  if (!isOperatorKey(key)) {
    throw new Error('OPERATOR_KEY must be slo_ and 43 characters of base64url.');
  }

  return [{ id, sha256: hashOperatorKey(key) }];
}

/** Splits a comma-separated variable. */
export function listOf(value = ''): readonly string[] {
  return value
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}
