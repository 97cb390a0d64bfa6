import { epochSeconds, timestamp } from '#lib/platform/clock.ts';
import { liveKeys } from '#lib/platform/db/keys/live.ts';
import { get } from '#lib/platform/db/read.ts';
import { create, remove } from '#lib/platform/db/write.ts';
import { writeIfMet } from '#lib/platform/db/write-if-met.ts';
import { connectionLifetimeMs, ensureLiveState } from './keep-live.ts';
import { currentRoles, forgetLiveConnections, type LiveConnection } from './live-connection.ts';
import { findLiveTicket } from './live-tickets.ts';

/**
 * Uses a ticket to open a connection. Of concurrent handshakes with the same ticket, only one
 * succeeds.
 *
 * @returns whether the connection may be opened.
 */
export async function openLiveConnection(ticket: string, connectionId: string): Promise<boolean> {
  const found = await findLiveTicket(ticket);
  if (!found) {
    return false;
  }
  const [role] = await currentRoles([found]);
  if (!role) {
    return false;
  }
  const { organizationId, userId, sessionId, keyHash, grantedAt } = found;
  const expiresAtSeconds = epochSeconds(connectionLifetimeMs / 1_000);
  const connection: LiveConnection = {
    organizationId,
    userId,
    sessionId,
    keyHash,
    grantedAt,
    connectionId,
    connectedAt: timestamp(),
  };
  const isOpened = await writeIfMet(
    remove(found),
    create(liveKeys.liveConnection(organizationId, connectionId), {
      ...connection,
      expiresAtSeconds,
    }),
    create(liveKeys.liveConnectionClaim(connectionId), { organizationId, expiresAtSeconds }),
  );
  if (isOpened) {
    await ensureLiveState(organizationId);
  }

  return isOpened;
}

/** Removes a connection that has ended. */
export async function closeLiveConnection(connectionId: string): Promise<void> {
  const claim = await get<{ readonly organizationId: string }>(
    liveKeys.liveConnectionClaim(connectionId),
  );
  if (claim) {
    await forgetLiveConnections([{ organizationId: claim.organizationId, connectionId }]);
  }
}
