import { epochSeconds, timestamp } from '#lib/platform/clock.ts';
import { hashToken, newOneTimeToken } from '#lib/platform/crypto/one-time-token.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { get } from '#lib/platform/db/read.ts';
import { create, remove, type Write } from '#lib/platform/db/write.ts';
import { badRequest } from '#lib/platform/errors/failures.ts';

const lifetimesSeconds = {
  emailVerification: 24 * 3600,
  passwordReset: 3600,
} as const;

export type TokenPurpose = keyof typeof lifetimesSeconds;

export type UserToken = {
  readonly purpose: TokenPurpose;
  readonly userId: string;
  /** The address that the token was sent to: it stands for that address alone. */
  readonly email: string;
  readonly issuedAt: string;
  readonly expiresAtSeconds: number;
};

const invalid = () => badRequest('token is invalid or expired');

/** A token for a link in a mail, and the write that makes it good. */
export function planUserToken(
  purpose: TokenPurpose,
  { userId, email }: { readonly userId: string; readonly email: string },
): { readonly token: string; readonly write: Write } {
  const token = newOneTimeToken();
  const record: UserToken = {
    purpose,
    userId,
    email,
    issuedAt: timestamp(),
    expiresAtSeconds: epochSeconds(lifetimesSeconds[purpose]),
  };

  return { token, write: create(keys.userToken(hashToken(token)), record) };
}

/** @throws 400 for a token that is unknown, used, too old, or for something else. */
export async function requireUserToken(purpose: TokenPurpose, token: string): Promise<UserToken> {
  const record = await get<UserToken>(keys.userToken(hashToken(token)));
  if (record?.purpose !== purpose) {
    throw invalid();
  }

  return record;
}

/** Uses a token up; of two uses at once one is refused. */
export function useUserToken(token: string): Write {
  return remove(keys.userToken(hashToken(token)), { refused: invalid });
}

/** The token was good, and what it stands for has changed since: the user's address, or the password. */
export function tokenOutdated() {
  return invalid();
}
