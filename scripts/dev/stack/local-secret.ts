import { createHash } from 'node:crypto';
import { type Platform, platforms } from '#schemas/platforms.ts';
import { networkFieldsOf, operatorKeysOf } from '#scripts/operations/secret-variables.ts';
import type { Settings } from './settings.ts';

/**
 * The secret document that the service reads from Secrets Manager. The keys are the same in every
 * run, so sessions and encrypted tokens survive a restart. They only protect test data.
 */
export function localSecret(settings: Settings): string {
  return JSON.stringify({
    jwtKeys: [{ kid: 'local', secret: settings.JWT_SECRET ?? localKey('sign sessions') }],
    encryptionKeys: [
      { id: 'local', key: settings.ENCRYPTION_KEY ?? localKey('encrypt tokens at rest') },
    ],
    hashKey: localKey('hash ids of people'),
    stripeSecretKey: settings.STRIPE_SECRET_KEY ?? 'sk_test_sandbox',
    stripeWebhookSecrets: [settings.STRIPE_WEBHOOK_SECRET ?? 'whsec_sandbox'],
    openaiApiKey: settings.OPENAI_API_KEY ?? 'sk-sandbox',
    operatorKeys: operatorKeysOf('local', settings.OPERATOR_KEY ?? `slo_${'L'.repeat(43)}`),
    networks: Object.fromEntries(
      platforms.map((platform) => [platform, localApp(platform, settings)]),
    ),
  });
}

/** Fields of single networks: the number of LinkedIn's app, and TikTok's second app. */
const defaultFields: Readonly<Partial<Record<Platform, object>>> = {
  LINKEDIN: { appId: '86400001' },
  TIKTOK: {
    business: {
      clientId: 'sandbox-tiktok-business-app',
      clientSecret: 'sandbox-tiktok-business-secret',
    },
  },
};

/**
 * Returns the service's app at a network: the sandbox's app, unless the settings contain another
 * one.
 */
function localApp(platform: Platform, settings: Settings) {
  const name = platform.toLowerCase();

  return {
    clientId: `sandbox-${name}-app`,
    clientSecret: `sandbox-${name}-secret`,
    verifyToken: `sandbox-${name}-verify`,
    appToken: `sandbox-${name}-app-token`,
    ...defaultFields[platform],
    ...networkFieldsOf(platform, settings),
  };
}

function localKey(purpose: string): string {
  return createHash('sha256').update(`social-leads, local stack: ${purpose}`).digest('base64');
}
