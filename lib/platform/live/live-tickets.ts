import { epochSeconds, timestamp } from '#lib/platform/clock.ts';
import { config } from '#lib/platform/config.ts';
import { hashToken, newOneTimeToken } from '#lib/platform/crypto/one-time-token.ts';
import type { Key } from '#lib/platform/db/keys/key.ts';
import { liveKeys, liveRanges } from '#lib/platform/db/keys/live.ts';
import { get, query } from '#lib/platform/db/read.ts';
import { create, write } from '#lib/platform/db/write.ts';
import { quotaExceeded, quotaLimit } from '#lib/platform/quotas/quotas.ts';
import type { LiveHolder } from './live-connection.ts';

const lifetimeSeconds = 60;

/** The organization's id (the ticket's partition) and a secret. */
const format = /^([0-9a-f-]{36})\.([A-Za-z0-9_-]{43})$/;

/**
 * Creates a ticket that opens one connection. Only its hash is stored.
 *
 * @throws 409 if the organization or the caller has too many connections. Concurrent requests do
 * not see each other, so they can exceed the limit slightly.
 */
export async function createLiveTicket(
  holder: Omit<LiveHolder, 'grantedAt'>,
): Promise<{ readonly ticket: string; readonly url: string; readonly expiresAt: string }> {
  const { organizationId } = holder;
  await requireRoom(holder);
  const secret = newOneTimeToken();
  const expiresAt = epochSeconds(lifetimeSeconds);
  await write(
    create(liveKeys.liveTicket(organizationId, hashToken(secret)), {
      ...holder,
      grantedAt: timestamp(),
      expiresAtSeconds: expiresAt,
    }),
  );

  return {
    ticket: `${organizationId}.${secret}`,
    url: config.websocketUrl,
    expiresAt: timestamp(0, expiresAt * 1_000),
  };
}

async function requireRoom(holder: Omit<LiveHolder, 'grantedAt'>): Promise<void> {
  const taken = await query<LiveHolder>(
    liveRanges.liveTicketsAndConnections(holder.organizationId),
    {
      limit: quotaLimit('liveConnections'),
      attributes: ['userId', 'sessionId', 'keyHash'],
    },
  );
  if (taken.length >= quotaLimit('liveConnections')) {
    throw quotaExceeded('liveConnections');
  }
  const own = taken.filter((one) => callerOf(one) === callerOf(holder));
  if (own.length >= quotaLimit('liveConnectionsPerCaller')) {
    throw quotaExceeded('liveConnectionsPerCaller');
  }
}

function callerOf({ userId, keyHash }: Pick<LiveHolder, 'userId' | 'keyHash'>): string {
  return keyHash ?? userId;
}

type StoredTicket = LiveHolder & Key;

/** Returns the ticket's record. `undefined` if it is unknown, used or expired. */
export async function findLiveTicket(ticket: string): Promise<StoredTicket | undefined> {
  const [, organizationId, secret] = format.exec(ticket) ?? [];

  return organizationId && secret
    ? get<StoredTicket>(liveKeys.liveTicket(organizationId, hashToken(secret)))
    : undefined;
}
