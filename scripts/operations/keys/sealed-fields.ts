import type { TwoFactor } from '#lib/features/auth/two-factor/two-factor-record.ts';
import { type TokenHolder, tokenFields } from '#lib/features/social/accounts/token-holder.ts';
import { contextOf, type EncryptionContext } from '#lib/platform/crypto/encryption.ts';
import type { Key } from '#lib/platform/db/keys/key.ts';
import { isMessagingCredentialKey, isSocialAccountKey } from '#lib/platform/db/keys/social.ts';
import { isTwoFactorKey } from '#lib/platform/db/keys/users.ts';
import { isWebhookEndpointKey } from '#lib/platform/db/keys/webhooks.ts';
import { secretField } from '#lib/platform/webhooks/endpoint-secrets.ts';
import type { WebhookEndpoint } from '#lib/platform/webhooks/endpoints.ts';

/** A long-lived ciphertext of an item, and its encryption context. */
export type SealedField = {
  readonly name: string;
  readonly ciphertext: string;
  readonly context: EncryptionContext;
};

type Item = Key & Readonly<Record<string, unknown>>;

/**
 * Returns an item's ciphertexts that must survive a key rotation. Ciphertexts of emails, deliveries
 * and stored responses expire before an old key may be removed.
 */
export function sealedFields(item: Item): readonly SealedField[] {
  if (isSocialAccountKey(item) || isMessagingCredentialKey(item)) {
    const holder = item as unknown as TokenHolder;

    return tokenFields.flatMap((name) => sealed(name, holder[name], contextOf(item, name)));
  }
  if (isTwoFactorKey(item)) {
    const { secret } = item as unknown as TwoFactor;

    return sealed('secret', secret, contextOf(item, 'secret'));
  }
  if (isWebhookEndpointKey(item)) {
    const endpoint = item as unknown as WebhookEndpoint;
    const context = contextOf(item, secretField);

    return [
      ...sealed('secret', endpoint.secret, context),
      ...sealed('formerSecret', endpoint.formerSecret, context),
    ];
  }

  return [];
}

function sealed(
  name: string,
  ciphertext: string | undefined,
  context: EncryptionContext,
): readonly SealedField[] {
  return ciphertext === undefined ? [] : [{ name, ciphertext, context }];
}
