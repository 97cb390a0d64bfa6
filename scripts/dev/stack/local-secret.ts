import { createHash } from 'node:crypto';
import { type Platform, platforms } from '#schemas/platforms.ts';
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
    stripeSecretKey: settings.STRIPE_SECRET_KEY ?? 'sk_test_sandbox',
    stripeWebhookSecrets: [settings.STRIPE_WEBHOOK_SECRET ?? 'whsec_sandbox'],
    openaiApiKey: settings.OPENAI_API_KEY ?? 'sk-sandbox',
    networks: Object.fromEntries(
      platforms.map((platform) => [platform, localApp(platform, settings)]),
    ),
  });
}

/** LinkedIn numbers its apps. The sandbox's app has this number. */
const defaultAppIds: Readonly<Partial<Record<Platform, string>>> = { LINKEDIN: '86400001' };

/** The service's app at a network: the sandbox's, unless the settings name another. */
function localApp(platform: Platform, settings: Settings) {
  const name = platform.toLowerCase();

  return {
    clientId: settings[`${platform}_CLIENT_ID`] ?? `sandbox-${name}-app`,
    appId: settings[`${platform}_APP_ID`] ?? defaultAppIds[platform],
    clientSecret: settings[`${platform}_CLIENT_SECRET`] ?? `sandbox-${name}-secret`,
    webhookSecret: settings[`${platform}_WEBHOOK_SECRET`],
    verifyToken: settings[`${platform}_VERIFY_TOKEN`] ?? `sandbox-${name}-verify`,
    appToken: settings[`${platform}_APP_TOKEN`] ?? `sandbox-${name}-app-token`,
    business: platform === 'TIKTOK' ? localBusinessApp(settings) : undefined,
  };
}

/** TikTok's Business API has an app of its own. */
function localBusinessApp(settings: Settings) {
  return {
    clientId: settings.TIKTOK_BUSINESS_CLIENT_ID ?? 'sandbox-tiktok-business-app',
    clientSecret: settings.TIKTOK_BUSINESS_CLIENT_SECRET ?? 'sandbox-tiktok-business-secret',
    webhookSecret: settings.TIKTOK_BUSINESS_WEBHOOK_SECRET,
  };
}

function localKey(purpose: string): string {
  return createHash('sha256').update(`social-leads, local stack: ${purpose}`).digest('base64');
}
