import { loadUser } from '#lib/features/users/load-user.ts';
import type { User } from '#lib/features/users/users.ts';
import { hashToken } from '#lib/platform/crypto/one-time-token.ts';
import { absent, allOf, below, either, equals } from '#lib/platform/db/conditions.ts';
import { ConditionNotMetError } from '#lib/platform/db/failures.ts';
import { userKeys } from '#lib/platform/db/keys/users.ts';
import { change, ensure, remove, write } from '#lib/platform/db/write.ts';
import { apiError } from '#lib/platform/errors/failures.ts';
import { deviceSubject, isKnownTo, type KnownDevice } from '#lib/platform/identity/known-device.ts';
import {
  consume,
  giveBackAllowed,
  type RateLimitState,
  rateLimitError,
} from '#lib/platform/rate-limits/rate-limiter.ts';
import type * as contracts from '#schemas/auth.ts';
import type { BodyOf } from '#schemas/contract.ts';
import { signInWithFirstLink } from './link-google.ts';
import { openSession, type SignedIn } from './open-session.ts';
import type { Origin } from './sessions.ts';
import { planCodeUse } from './two-factor/codes.ts';
import { findTwoFactor } from './two-factor/two-factor-record.ts';
import { findUserToken, type UserToken } from './user-tokens.ts';

/**
 * The number of tries per challenge. They are counted before the code is checked, so that parallel
 * tries count, too.
 */
const maxTries = 5;

const challengeInvalid = () =>
  apiError('CHALLENGE_TOKEN_INVALID', 'Invalid or expired challenge token');
const codeInvalid = () => apiError('TWO_FACTOR_CODE_INVALID', 'Invalid code');

/**
 * Completes a sign-in with a code. Wrong codes count as failed sign-ins of the address, or of this
 * browser if the user has signed in with it before.
 *
 * @param counted receives the rate limit states, regardless of the outcome.
 * @throws 401 if the challenge has ended or the code is wrong, 429 after too many failed sign-ins.
 */
export async function logInWithTwoFactor(
  { challengeToken, code }: BodyOf<typeof contracts.logInWithTwoFactor>,
  origin: Origin,
  device: KnownDevice | undefined,
  counted: (states: readonly RateLimitState[]) => void,
): Promise<SignedIn> {
  const [challenge, ip] = await Promise.all([
    findUserToken('secondFactor', challengeToken),
    consume('loginIp', origin.clientIp),
  ]);
  const limits = [...(challenge ? [await countFailure(challenge, device)] : []), ip];
  const refusal = rateLimitError(limits);
  if (refusal) {
    counted(limits);
    await giveBackAllowed(limits);
    throw refusal;
  }
  try {
    const signedIn = await complete(challenge, challengeToken, code, origin);
    counted(limits.map((limit) => ({ ...limit, remaining: limit.remaining + 1 })));
    await giveBackAllowed(limits);

    return signedIn;
  } catch (failure) {
    counted(limits);
    throw failure;
  }
}

function countFailure(
  challenge: UserToken,
  device: KnownDevice | undefined,
): Promise<RateLimitState> {
  return isKnownTo(challenge, device)
    ? consume('loginDevice', deviceSubject(device))
    : consume('loginAddress', challenge.email);
}

async function complete(
  challenge: UserToken | undefined,
  challengeToken: string,
  code: string,
  origin: Origin,
): Promise<SignedIn> {
  if (!challenge) {
    throw challengeInvalid();
  }
  const key = userKeys.userToken(hashToken(challengeToken));
  const [{ user, memberships }, record] = await Promise.all([
    loadUser(challenge.userId),
    findTwoFactor(challenge.userId),
    write(
      change(key, {
        add: { tries: 1 },
        when: either(absent('tries'), below('tries', maxTries)),
        onConditionFailed: challengeInvalid,
      }),
    ),
  ]);
  if (!user) {
    throw challengeInvalid();
  }
  const use = await planCodeUse(user, record, code, { onConditionFailed: codeInvalid });

  const writes = [remove(key, { onConditionFailed: challengeInvalid }), ...use.writes];
  const isCurrent = allOf(
    equals('twoFactorEnabled', true),
    either(absent('passwordSetAt'), below('passwordSetAt', challenge.issuedAt)),
  );
  const { googleSubject } = challenge;
  if (!googleSubject || !isLinkable(user, challenge)) {
    return openSession(user, memberships, origin, [
      ...writes,
      ensure(userKeys.user(user.userId), { when: isCurrent, onConditionFailed: challengeInvalid }),
    ]);
  }
  try {
    const signIn = { user, memberships, googleSubject, origin };

    return await signInWithFirstLink(signIn, writes, isCurrent);
  } catch (failure) {
    throw failure instanceof ConditionNotMetError ? challengeInvalid() : failure;
  }
}

/** False if the user's address has changed, or another Google account was linked. */
function isLinkable({ googleSubject, email, emailVerified }: User, challenge: UserToken): boolean {
  return googleSubject === undefined && emailVerified && email === challenge.email;
}
