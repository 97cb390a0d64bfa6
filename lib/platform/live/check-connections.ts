import { secondMs } from '#lib/platform/clock.ts';
import { atMostAtOnce } from '#lib/platform/concurrency.ts';
import type { WorkOutcome } from '#lib/platform/work/worker.ts';
import { closeConnection } from './gateway.ts';
import { endLiveState, renewLiveState } from './keep-live.ts';
import {
  currentRoles,
  forgetLiveConnections,
  type LiveConnection,
  listLiveConnections,
} from './live-connection.ts';

/** Connections must end within a minute of their session, membership or API key. */
const intervalMs = 30 * secondMs;
const closesAtOnce = 50;

/**
 * Closes the connections whose access has ended. Repeats the check while the organization has
 * connections.
 */
export async function checkLiveConnections(organizationId: string): Promise<WorkOutcome> {
  const connections = await listLiveConnections(organizationId);
  const roles = await currentRoles(connections);
  await close(connections.filter((_, index) => roles[index] === undefined));
  if (roles.some((role) => role !== undefined)) {
    return { againInMs: intervalMs };
  }
  await endLiveState(organizationId);
  const openedSince = await listLiveConnections(organizationId);
  if (openedSince.length === 0) {
    return 'done';
  }
  await renewLiveState(organizationId);

  return { againInMs: intervalMs };
}

/** A connection that could not be closed is kept for the next check. */
async function close(ended: readonly LiveConnection[]): Promise<void> {
  const outcomes = await atMostAtOnce(closesAtOnce, ended, ({ connectionId }) =>
    closeConnection(connectionId),
  );
  await forgetLiveConnections(ended.filter((_, index) => typeof outcomes[index] !== 'object'));
}
