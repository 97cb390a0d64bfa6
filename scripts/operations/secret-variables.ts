import type { NetworkApp } from '#lib/platform/secrets/secrets.ts';
import { type Platform, platforms } from '#schemas/platforms.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/** The variable of each field is the platform's name followed by this, such as `TIKTOK_APP_ID`. */
const fieldVariables = {
  clientId: 'CLIENT_ID',
  appId: 'APP_ID',
  clientSecret: 'CLIENT_SECRET',
  webhookSecret: 'WEBHOOK_SECRET',
  verifyToken: 'VERIFY_TOKEN',
  appToken: 'APP_TOKEN',
} as const satisfies Record<keyof NetworkApp, string>;

type NetworkFields = Readonly<Partial<Record<keyof NetworkApp, string>>>;

/** Returns the fields of a network's app that the variables set. An empty value counts as unset. */
export function networkFieldsOf(platform: Platform, variables: Variables): NetworkFields {
  return Object.fromEntries(
    Object.entries(fieldVariables).flatMap(([field, suffix]) => {
      const value = variables[`${platform}_${suffix}`];

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

/** Splits a comma-separated variable. */
export function listOf(value = ''): readonly string[] {
  return value
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
}
