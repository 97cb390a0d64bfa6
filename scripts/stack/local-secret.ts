import { createHash } from 'node:crypto';
import type { Settings } from './settings.ts';

/**
 * The secret document as the service reads it from Secrets Manager. The keys are the same in every
 * run, so that sessions and encrypted tokens outlive a restart; they protect nothing but test data.
 */
export function localSecret(settings: Settings): string {
  return JSON.stringify({
    jwtKeys: [{ kid: 'local', secret: settings.JWT_SECRET ?? localKey('sign sessions') }],
    encryptionKeys: [
      { id: 'local', key: settings.ENCRYPTION_KEY ?? localKey('encrypt tokens at rest') },
    ],
    stripeSecretKey: settings.STRIPE_SECRET_KEY ?? 'sk_test_sandbox',
  });
}

function localKey(purpose: string): string {
  return createHash('sha256').update(`social-leads, local stack: ${purpose}`).digest('base64');
}
