import { now, secondMs } from '#lib/platform/clock.ts';
import { atMostAtOnce } from '#lib/platform/concurrency.ts';
import { describeFailure, logger } from '#lib/platform/log/logger.ts';
import type { Role } from '#schemas/contract.ts';
import type { EventType } from '#schemas/event-types.ts';
import { maxMessageBytes, type SendOutcome, sendToConnection } from './gateway.ts';
import { currentRoles, forgetLiveConnections, type LiveConnection } from './live-connection.ts';

type LiveEvent = {
  readonly type: EventType;
  readonly timestamp: string;
  readonly data: unknown;
};

/** The number of sockets that the SDK keeps open. */
const sendsAtOnce = 50;

/**
 * The gateway's longest handshake. Until the handshake has ended, the gateway reports a connection
 * as gone.
 */
const handshakeMs = 30 * secondMs;

/**
 * Sends an event once to each connection whose holder may see it. The caller must have claimed the
 * event. Failed sends are not repeated, because the first attempt may have arrived.
 */
export async function deliverLive(
  connections: readonly LiveConnection[],
  { type, timestamp, data }: LiveEvent,
): Promise<void> {
  const roles = await currentRoles(connections);
  const receivers = connections.filter((_, index) => maySee(roles[index], type));
  const message = JSON.stringify({ type, timestamp, data });
  if (Buffer.byteLength(message) > maxMessageBytes) {
    logger.warn('An event is too large for live connections', { type });

    return;
  }
  const outcomes = await atMostAtOnce(sendsAtOnce, receivers, ({ connectionId }) =>
    sendToConnection(connectionId, message),
  );
  logFailures(type, outcomes);
  await forgetLiveConnections(
    receivers.filter(
      ({ connectedAt }, index) =>
        outcomes[index] === 'gone' && now() - Date.parse(connectedAt) > handshakeMs,
    ),
  );
}

/** `webhook.test` is about one webhook. Events about credits are for people who can pay. */
function maySee(role: Role | undefined, type: EventType): boolean {
  if (!role || type === 'webhook.test') {
    return false;
  }

  return !type.startsWith('credits.') || role === 'OWNER' || role === 'ADMIN';
}

function logFailures(type: EventType, outcomes: readonly SendOutcome[]): void {
  const failures = outcomes.filter((outcome) => typeof outcome === 'object');
  const [first] = failures;
  if (first) {
    logger.warn('Live connections did not receive an event', {
      type,
      connections: failures.length,
      failure: describeFailure(first.failure),
    });
  }
}
