import { loadUser } from '#lib/features/accounts/users/load-user.ts';
import type { User } from '#lib/features/accounts/users/users.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { hashToken } from '#lib/platform/crypto/one-time-token.ts';
import {
  absent,
  allOf,
  below,
  type Condition,
  either,
  equals,
} from '#lib/platform/db/conditions.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { change, create, ensure, remove, type Write, write } from '#lib/platform/db/write.ts';
import { ApiError } from '#lib/platform/errors/api-error.ts';
import { deviceSubject, type KnownDevice } from '#lib/platform/identity/known-device.ts';
import {
  consume,
  giveBackAllowed,
  type RateLimitState,
  rateLimitError,
} from '#lib/platform/rate-limits/rate-limiter.ts';
import type * as contracts from '#schemas/auth.ts';
import type { BodyOf } from '#schemas/contract.ts';
import { openSession, type SignedIn } from './open-session.ts';
import type { Origin } from './sessions.ts';
import { planCodeUse } from './two-factor/codes.ts';
import { findTwoFactor } from './two-factor/two-factor-record.ts';
import { findUserToken, type UserToken } from './user-tokens.ts';

/** Tries of one challenge, counted before the code is checked, so that parallel ones count, too. */
const maxTries = 5;

const challengeInvalid = () => new ApiError('unauthorized', 'Invalid or expired challenge token');
const codeInvalid = () => new ApiError('unauthorized', 'Invalid code');

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
  { userId, email }: UserToken,
  device: KnownDevice | undefined,
): Promise<RateLimitState> {
  return device?.userId === userId
    ? consume('loginDevice', deviceSubject(device))
    : consume('loginAddress', email);
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
  const key = keys.userToken(hashToken(challengeToken));
  const [{ user, memberships }, record] = await Promise.all([
    loadUser(challenge.userId),
    findTwoFactor(challenge.userId),
    write(
      change(key, {
        add: { tries: 1 },
        when: either(absent('tries'), below('tries', maxTries)),
        refused: challengeInvalid,
      }),
    ),
  ]);
  if (!user) {
    throw challengeInvalid();
  }
  const use = await planCodeUse(user, record, code, { refused: codeInvalid });

  return openSession(user, memberships, origin, [
    remove(key, { refused: challengeInvalid }),
    ...use.writes,
    ...planUserSide(user, challenge),
  ]);
}

/**
 * Requires that the password has not changed since the first factor was checked. Also links the
 * Google account that was the first factor, unless another one has been linked since.
 */
function planUserSide(
  { userId, googleSubject, email, emailVerified }: User,
  challenge: UserToken,
): readonly Write[] {
  const { issuedAt, googleSubject: newSubject } = challenge;
  const isCurrent = allOf(
    equals('twoFactorEnabled', true),
    either(absent('passwordSetAt'), below('passwordSetAt', issuedAt)),
  );
  const refused = challengeInvalid;
  const isLinkable = googleSubject === undefined && emailVerified && email === challenge.email;
  if (!newSubject || !isLinkable) {
    return [ensure(keys.user(userId), { when: isCurrent, refused })];
  }
  const when: Condition = allOf(isCurrent, absent('googleSubject'), equals('email', email));

  return [
    create(keys.googleSubject(newSubject), { userId }, refused),
    change(keys.user(userId), {
      set: { googleSubject: newSubject, googleLinkedAt: timestamp() },
      when,
      refused,
    }),
  ];
}
