import { loadUser } from '#lib/features/users/load-user.ts';
import { findUserIdByEmail, planCredentialsUnchanged } from '#lib/features/users/users.ts';
import { wrongCredentials } from '#lib/platform/errors/failures.ts';
import { deviceSubject, isKnownTo, type KnownDevice } from '#lib/platform/identity/known-device.ts';
import { newId } from '#lib/platform/ids.ts';
import {
  consume,
  giveBackAllowed,
  type RateLimitState,
  rateLimitError,
} from '#lib/platform/rate-limits/rate-limiter.ts';
import type * as contracts from '#schemas/auth.ts';
import type { BodyOf } from '#schemas/contract.ts';
import { openSession, type SignedIn, secondFactorRequired } from './open-session.ts';
import { verifyPassword } from './passwords.ts';
import type { Origin } from './sessions.ts';

/**
 * Signs a user in. Each attempt counts as failed until the password is verified, so that concurrent
 * attempts cannot exceed the limit. An unknown address takes the same steps as a known one.
 *
 * @param device has its own counter if this user has signed in with it before. So strangers who use
 * up the counter of the address cannot lock the user out.
 * @param counted receives the rate limit states, regardless of the outcome.
 * @throws 401, also if a second factor is required, or 429 after too many failed attempts for the
 * address, device or IP address.
 */
export async function logIn(
  { email, password }: BodyOf<typeof contracts.logIn>,
  origin: Origin,
  device: KnownDevice | undefined,
  counted: (states: readonly RateLimitState[]) => void,
): Promise<SignedIn> {
  const [userId, first, ip] = await Promise.all([
    findUserIdByEmail(email),
    device ? consume('loginDevice', deviceSubject(device)) : consume('loginAddress', email),
    consume('loginIp', origin.clientIp),
  ]);
  const isForeign = device !== undefined && device.userId !== userId;
  const counter = isForeign ? await countByAddress(email, first) : first;
  await rejectExhausted([counter, ip], counted);
  const { user, memberships } = await loadUser(userId ?? newId());
  const isForgotten = user && device?.userId === userId && !isKnownTo(user, device);
  const limits = [isForgotten ? await countByAddress(email, counter) : counter, ip];
  if (isForgotten) {
    await rejectExhausted(limits, counted);
  }
  if (!(await verifyPassword(password, user?.passwordHash)) || !user) {
    counted(limits);
    throw wrongCredentials();
  }
  counted(limits.map((limit) => ({ ...limit, remaining: limit.remaining + 1 })));
  const givingBack = giveBackAllowed(limits);
  try {
    if (user.twoFactorEnabled) {
      throw await secondFactorRequired(user);
    }

    return await openSession(user, memberships, origin, [
      planCredentialsUnchanged(user, wrongCredentials),
    ]);
  } finally {
    await givingBack;
  }
}

async function rejectExhausted(
  limits: readonly RateLimitState[],
  counted: (states: readonly RateLimitState[]) => void,
): Promise<void> {
  const refusal = rateLimitError(limits);
  if (refusal) {
    counted(limits);
    await giveBackAllowed(limits);
    throw refusal;
  }
}

/** The device is known for another user, or was forgotten, so the address is counted instead. */
async function countByAddress(email: string, first: RateLimitState): Promise<RateLimitState> {
  const [state] = await Promise.all([consume('loginAddress', email), giveBackAllowed([first])]);

  return state;
}
