import { epochSeconds, timestamp } from '#lib/platform/clock.ts';
import { ConditionNotMetError } from '#lib/platform/db/failures.ts';
import type { Key } from '#lib/platform/db/keys/key.ts';
import { userKeys, userRanges } from '#lib/platform/db/keys/users.ts';
import { query } from '#lib/platform/db/read.ts';
import { removeMany } from '#lib/platform/db/remove-many.ts';
import { create, discard, remove, type Write, write } from '#lib/platform/db/write.ts';
import { notFound } from '#lib/platform/errors/failures.ts';
import { sessionLifetimeSeconds } from '#lib/platform/identity/access-token.ts';
import type { Session } from '#lib/platform/identity/identity.ts';
import { signAccessToken } from '#lib/platform/identity/sign-access-token.ts';
import { newId } from '#lib/platform/ids.ts';
import { describeFailure } from '#lib/platform/log/logger.ts';
import { logAlarmingError } from '#lib/platform/metrics/embedded-metrics.ts';

export type Origin = { readonly clientIp: string; readonly userAgent: string };

/** Returns the write that creates a session of seven days, and its access token. */
export async function planSession(
  userId: string,
  currentOrganizationId: string | undefined,
  { clientIp, userAgent }: Origin,
): Promise<{ readonly write: Write; readonly token: string; readonly sessionId: string }> {
  const sessionId = newId();
  const now = timestamp();
  const session: Session = {
    sessionId,
    userId,
    ...(currentOrganizationId ? { currentOrganizationId } : {}),
    createdAt: now,
    lastActiveAt: now,
    ipAddress: clientIp,
    userAgent,
    expiresAtSeconds: epochSeconds(sessionLifetimeSeconds),
  };

  return {
    write: create(userKeys.session(userId, sessionId), session),
    token: await signAccessToken({ userId, sessionId }),
    sessionId,
  };
}

/** Returns the user's sessions, newest first. */
export function listSessions(userId: string): Promise<ReadonlyArray<Session & Key>> {
  return query<Session>(userRanges.sessions(userId), { newestFirst: true });
}

export function endSession(userId: string, sessionId: string): Promise<unknown> {
  return write(discard(userKeys.session(userId, sessionId)));
}

/** @throws 404 if the user has no such session. */
export async function revokeSession(userId: string, sessionId: string): Promise<void> {
  try {
    await write(remove(userKeys.session(userId, sessionId)));
  } catch (failure) {
    throw failure instanceof ConditionNotMetError ? notFound('Session') : failure;
  }
}

/** The number of sessions that the transaction of the password change can end. */
const maxSessionsPerTransaction = 50;

/**
 * Returns writes that end the user's sessions, except one, in the caller's transaction. Sessions
 * beyond the limit of the transaction are ended immediately.
 */
export async function planEndOfSessions(
  userId: string,
  keptId?: string,
): Promise<readonly Write[]> {
  const otherSessions = await listOtherSessions(userId, keptId);
  await removeMany(otherSessions.slice(maxSessionsPerTransaction));

  return otherSessions.slice(0, maxSessionsPerTransaction).map(discard);
}

/**
 * Ends sessions that were opened during a password change. The change is already committed, so a
 * failure is only logged.
 */
export async function endSessionsOpenedSince(userId: string, keptId?: string): Promise<void> {
  try {
    await removeMany(await listOtherSessions(userId, keptId));
  } catch (failure) {
    logAlarmingError('SessionsNotEnded', 'Sessions may have outlived a change of the password', {
      failure: describeFailure(failure),
    });
  }
}

async function listOtherSessions(userId: string, keptId: string | undefined) {
  return (await listSessions(userId)).filter(({ sessionId }) => sessionId !== keptId);
}
