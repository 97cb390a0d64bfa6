import { epochSeconds, timestamp } from '#lib/platform/clock.ts';
import { hashToken, newOneTimeToken } from '#lib/platform/crypto/one-time-token.ts';
import { userKeys } from '#lib/platform/db/keys/users.ts';
import { get } from '#lib/platform/db/read.ts';
import { create, remove, type Write } from '#lib/platform/db/write.ts';
import { badRequest } from '#lib/platform/errors/failures.ts';

export const tokenLifetimesSeconds = {
  emailVerification: 24 * 3600,
  passwordReset: 3600,
  emailRevert: 7 * 24 * 3600,
  secondFactor: 300,
} as const;

export type TokenPurpose = keyof typeof tokenLifetimesSeconds;

export type UserToken = {
  readonly purpose: TokenPurpose;
  readonly userId: string;
  /**
   * The address that the token was sent to. Except for `emailRevert`, the token is valid only while
   * the user has this address.
   */
  readonly email: string;
  /** For a `secondFactor`: the Google account that is linked after the correct code. */
  readonly googleSubject?: string | undefined;
  /** For a `secondFactor`: the same as on the user. */
  readonly devicesKnownSince?: string | undefined;
  /** For a `secondFactor`: the number of tried codes. */
  readonly tries?: number;
  readonly issuedAt: string;
  readonly expiresAtSeconds: number;
};

const invalid = () => badRequest('token is invalid or expired');

type TokenSubject = Pick<UserToken, 'userId' | 'email' | 'googleSubject' | 'devicesKnownSince'>;

/** Returns a token for an email link or a challenge, and the write that stores it. */
export function planUserToken(
  purpose: TokenPurpose,
  { userId, email, googleSubject, devicesKnownSince }: TokenSubject,
): { readonly token: string; readonly write: Write } {
  const token = newOneTimeToken();
  const record: UserToken = {
    purpose,
    userId,
    email,
    ...(purpose === 'secondFactor' ? { googleSubject, devicesKnownSince } : {}),
    issuedAt: timestamp(),
    expiresAtSeconds: epochSeconds(tokenLifetimesSeconds[purpose]),
  };

  return { token, write: create(userKeys.userToken(hashToken(token)), record) };
}

/** Returns the token's record, unless it is unknown, used, expired, or for another purpose. */
export async function findUserToken(
  purpose: TokenPurpose,
  token: string,
): Promise<UserToken | undefined> {
  const record = await get<UserToken>(userKeys.userToken(hashToken(token)));

  return record?.purpose === purpose ? record : undefined;
}

/** @throws 400 if the token is unknown, used, expired, or for another purpose. */
export async function requireUserToken(purpose: TokenPurpose, token: string): Promise<UserToken> {
  const record = await findUserToken(purpose, token);
  if (!record) {
    throw invalid();
  }

  return record;
}

/** Uses up a token. Of two concurrent uses, one fails. */
export function planUserTokenUse(token: string): Write {
  return remove(userKeys.userToken(hashToken(token)), { onConditionFailed: invalid });
}

/** The token was valid, but the user's address or password has changed since it was issued. */
export function tokenOutdated() {
  return invalid();
}
