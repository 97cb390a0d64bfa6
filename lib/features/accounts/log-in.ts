import { loadUser } from '#lib/features/accounts/users/load-user.ts';
import { findUserIdByEmail, planPasswordUnchanged } from '#lib/features/accounts/users/users.ts';
import { withOrganizations } from '#lib/features/organizations/organizations.ts';
import { write } from '#lib/platform/db/write.ts';
import { wrongCredentials } from '#lib/platform/errors/failures.ts';
import { newId } from '#lib/platform/ids.ts';
import {
  consume,
  type RateLimitState,
  rateLimitError,
} from '#lib/platform/rate-limits/rate-limiter.ts';
import type * as contracts from '#schemas/auth.ts';
import type { BodyOf } from '#schemas/contract.ts';
import { verifyPassword } from './passwords.ts';
import { type Origin, planSession } from './sessions.ts';

/**
 * Signs a user in. Each attempt counts as failed until the password is verified, so that concurrent
 * attempts cannot exceed the limit. An unknown address takes the same steps as a known one.
 *
 * @param counted receives the rate limit states, regardless of the outcome.
 * @throws 401, or 429 after too many failed attempts for the address or IP.
 */
export async function logIn(
  { email, password }: BodyOf<typeof contracts.logIn>,
  origin: Origin,
  counted: (states: readonly RateLimitState[]) => void,
) {
  const [userId, ...limits] = await Promise.all([
    findUserIdByEmail(email),
    consume('loginAddress', email),
    consume('loginIp', origin.clientIp),
  ]);
  const refusal = rateLimitError(limits);
  if (refusal) {
    counted(limits);
    await giveBackAllowed(limits);
    throw refusal;
  }
  const { user, memberships } = await loadUser(userId ?? newId());
  if (!(await verifyPassword(password, user?.passwordHash)) || !user) {
    counted(limits);
    throw wrongCredentials();
  }
  // If this organization is being deleted, the session's first use selects the next one.
  const session = await planSession(user.userId, memberships[0]?.organizationId, origin);
  const [organizations] = await Promise.all([
    withOrganizations(memberships),
    write(session.write, planPasswordUnchanged(user, wrongCredentials)),
    giveBackAllowed(limits),
  ]);
  counted(limits.map((limit) => ({ ...limit, remaining: limit.remaining + 1 })));

  return { user, organizations, token: session.token };
}

/** Refunds the attempt, which succeeded or was rejected before the password was checked. */
async function giveBackAllowed(limits: readonly RateLimitState[]): Promise<void> {
  await Promise.all(limits.filter(({ allowed }) => allowed).map(({ giveBack }) => giveBack()));
}
