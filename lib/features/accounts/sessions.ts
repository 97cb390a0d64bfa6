import { epochSeconds, timestamp } from '#lib/platform/clock.ts';
import type { Key } from '#lib/platform/db/keys/key.ts';
import { keys, ranges } from '#lib/platform/db/keys.ts';
import { query } from '#lib/platform/db/read.ts';
import { removeMany } from '#lib/platform/db/remove-many.ts';
import {
  ConditionNotMet,
  create,
  discard,
  remove,
  type Write,
  write,
} from '#lib/platform/db/write.ts';
import { notFound } from '#lib/platform/errors/failures.ts';
import { sessionLifetimeSeconds } from '#lib/platform/identity/access-token.ts';
import type { Session } from '#lib/platform/identity/identity.ts';
import { signAccessToken } from '#lib/platform/identity/sign-access-token.ts';
import { newId } from '#lib/platform/ids.ts';
import { describeFailure, logger } from '#lib/platform/log/logger.ts';

/** Where a session is opened from. */
export type Origin = { readonly clientIp: string; readonly userAgent: string };

/** A new session of seven days: how to write it, and its token. */
export async function planSession(
  userId: string,
  currentOrganizationId: string | undefined,
  { clientIp, userAgent }: Origin,
): Promise<{ readonly write: Write; readonly token: string }> {
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
    write: create(keys.session(userId, sessionId), session),
    token: await signAccessToken({ userId, sessionId }),
  };
}

/** The user's sessions, the newest first. */
export function listSessions(userId: string): Promise<ReadonlyArray<Session & Key>> {
  return query<Session>(ranges.sessions(userId), { newestFirst: true });
}

export function endSession(userId: string, sessionId: string): Promise<unknown> {
  return write(discard(keys.session(userId, sessionId)));
}

/** @throws 404 for a session that the user does not have. */
export async function revokeSession(userId: string, sessionId: string): Promise<void> {
  try {
    await write(remove(keys.session(userId, sessionId)));
  } catch (failure) {
    throw failure instanceof ConditionNotMet ? notFound('Session') : failure;
  }
}

/** So many sessions end in one transaction with the change of a password. */
const endedTogether = 50;

/**
 * Ends the user's sessions but one. Those that do not fit into a transaction end at once; the
 * returned writes end the rest together with what they are for.
 */
export async function planEndOfSessions(
  userId: string,
  keptId?: string,
): Promise<readonly Write[]> {
  const doomed = await listOtherSessions(userId, keptId);
  await removeMany(doomed.slice(endedTogether));

  return doomed.slice(0, endedTogether).map(discard);
}

/**
 * Ends what was opened while the password was changed, as it has been: a failure is logged, as the
 * change itself is done.
 */
export async function endSessionsOpenedMeanwhile(userId: string, keptId?: string): Promise<void> {
  try {
    await removeMany(await listOtherSessions(userId, keptId));
  } catch (failure) {
    logger.error('Sessions may have outlived a change of the password', {
      failure: describeFailure(failure),
    });
  }
}

async function listOtherSessions(userId: string, keptId: string | undefined) {
  return (await listSessions(userId)).filter(({ sessionId }) => sessionId !== keptId);
}
