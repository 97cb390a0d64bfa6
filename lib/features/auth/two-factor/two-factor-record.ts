import { contextOf, decrypt, encrypt } from '#lib/platform/crypto/encryption.ts';
import { absent, allOf, equals, unchanged } from '#lib/platform/db/conditions.ts';
import type { Key } from '#lib/platform/db/keys/key.ts';
import { userKeys, userRanges } from '#lib/platform/db/keys/users.ts';
import { get, query } from '#lib/platform/db/read.ts';
import { discard, remove, type Write } from '#lib/platform/db/write.ts';

/** The user's TOTP secret. Until `enabledAt` is set, sign-ins don't require a code. */
export type TwoFactor = {
  /** Encrypted for the item's key. */
  readonly secret: string;
  readonly enabledAt?: string;
  /** The user's address at the time when it was enabled. */
  readonly enabledWith?: string;
  /** The time step of the last accepted code. Codes of this step and earlier steps are used up. */
  readonly lastStep?: number;
};

export function findTwoFactor(userId: string): Promise<TwoFactor | undefined> {
  return get<TwoFactor>(userKeys.twoFactor(userId));
}

const contextOfSecret = (userId: string) => contextOf(userKeys.twoFactor(userId), 'secret');

export function sealSecret(userId: string, secret: string): Promise<string> {
  return encrypt(secret, contextOfSecret(userId));
}

export function openSecret(userId: string, { secret }: TwoFactor): Promise<string> {
  return decrypt(secret, contextOfSecret(userId));
}

/** True if no setup or code was accepted since the record was read. */
export function isAsRead({ secret, enabledAt, lastStep }: TwoFactor) {
  return allOf(
    equals('secret', secret),
    unchanged('enabledAt', enabledAt),
    unchanged('lastStep', lastStep),
  );
}

/** Plans to remove the user's recovery codes, except the one that is already being removed. */
export async function planRecoveryCodeRemoval(
  userId: string,
  except?: Key,
): Promise<readonly Write[]> {
  const stored = await query<Key>(userRanges.recoveryCodes(userId));

  return stored.filter(({ sk }) => sk !== except?.sk).map(discard);
}

/**
 * Plans to remove a second factor that was set up after this time, or enabled while the user had
 * another address.
 */
export async function planTwoFactorRemovalSince(
  userId: string,
  since: string,
  email: string,
): Promise<readonly Write[]> {
  const record = await findTwoFactor(userId);
  const isKept = record?.enabledAt && (record.enabledAt <= since || record.enabledWith === email);
  if (!record || isKept) {
    return [];
  }

  return [
    remove(userKeys.twoFactor(userId), {
      when: record.enabledAt ? equals('enabledAt', record.enabledAt) : absent('enabledAt'),
    }),
    ...(await planRecoveryCodeRemoval(userId)),
  ];
}
