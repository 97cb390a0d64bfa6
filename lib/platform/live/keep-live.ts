import { hourMs, minuteMs, timestamp } from '#lib/platform/clock.ts';
import { liveKeys } from '#lib/platform/db/keys/live.ts';
import { webhookKeys } from '#lib/platform/db/keys/webhooks.ts';
import { get } from '#lib/platform/db/read.ts';
import { change, write } from '#lib/platform/db/write.ts';
import { writeIfMet } from '#lib/platform/db/write-if-met.ts';
import { ensureWork } from '#lib/platform/work/one-at-a-time.ts';

/**
 * The time until which the organization may have live connections. Its events are kept until then.
 */
export type LiveState = { readonly liveUntil?: string };

/** API Gateway closes connections after two hours. */
export const connectionLifetimeMs = 2 * hourMs;

/**
 * Renewed once per lifetime instead of per connection, because many connections open at the same
 * time.
 */
const liveForMs = 2 * connectionLifetimeMs;

/**
 * Call it after storing the connection. `endLiveState` lists the connections after it has ended the
 * state. So one of the two always sees the other's write.
 */
export async function ensureLiveState(organizationId: string): Promise<void> {
  const state = await get<LiveState>(webhookKeys.eventReceivers(organizationId));
  if (timestamp(connectionLifetimeMs + minuteMs) < (state?.liveUntil ?? '')) {
    return;
  }
  // Planned before the state is stored, because the state promises that the check runs.
  await ensureWork('webhookFanOut', {
    owner: liveKeys.liveConnection(organizationId, ''),
    workId: 'CHECK',
    payload: { organizationId, checks: 'liveConnections' },
  });
  await renewLiveState(organizationId);
}

export async function renewLiveState(organizationId: string): Promise<void> {
  const set = { liveUntil: timestamp(liveForMs) };
  await write(change(webhookKeys.eventReceivers(organizationId), { set, orCreate: true }));
}

export async function endLiveState(organizationId: string): Promise<void> {
  await writeIfMet(
    change(webhookKeys.eventReceivers(organizationId), { set: { liveUntil: null } }),
  );
}
