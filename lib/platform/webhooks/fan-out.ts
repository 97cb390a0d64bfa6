import type { Key } from '#lib/platform/db/keys/key.ts';
import { remove } from '#lib/platform/db/write.ts';
import { writeIfMet } from '#lib/platform/db/write-if-met.ts';
import { deliverLive } from '#lib/platform/live/deliver-live.ts';
import { listLiveConnections } from '#lib/platform/live/live-connection.ts';
import { events } from '#schemas/events.ts';
import type { StoredEvent } from '#schemas/work-payloads.ts';
import { planDeliveries } from './deliveries.ts';
import { listOrganizationWebhooks } from './organization-webhooks.ts';

/**
 * Creates the deliveries of an event for all subscribed webhooks of its organization, and sends it
 * to the live connections. One transaction creates the deliveries and removes the work. So a crash
 * or a second worker can neither create deliveries twice nor send the event to a connection twice.
 */
export async function fanOutEvent(
  key: Key,
  { organizationId, ...stored }: StoredEvent,
): Promise<'done'> {
  // Removes fields that callers must not see, as in a response.
  const event = { ...stored, data: events[stored.type].data.parse(stored.data) };
  const [webhooks, connections] = await Promise.all([
    listOrganizationWebhooks(organizationId),
    listLiveConnections(organizationId),
  ]);
  const wanted = webhooks.filter(
    ({ isActive, events: types }) =>
      isActive && (types.includes('*') || types.includes(event.type)),
  );
  const deliveries = wanted.flatMap((webhook) => planDeliveries(webhook, [event]));
  if (deliveries.length === 0 && connections.length === 0) {
    return 'done';
  }
  const isClaimed = await writeIfMet(remove(key), ...deliveries);
  if (isClaimed && connections.length > 0) {
    await deliverLive(connections, event);
  }

  return 'done';
}
