import { remove } from '#lib/platform/db/write.ts';
import { writeIfMet } from '#lib/platform/db/write-if-met.ts';
import type { WorkRequest } from '#lib/platform/work/worker.ts';
import { events } from '#schemas/events.ts';
import { planDeliveries } from './deliveries.ts';
import { listOrganizationWebhooks } from './organization-webhooks.ts';

/**
 * Creates the deliveries of an event for all webhooks of its organization that want it. The same
 * transaction removes the work, so a crash or a second worker cannot create them twice.
 */
export async function fanOutEvent({
  key,
  payload: { organizationId, ...stored },
}: WorkRequest<'webhookFanOut'>): Promise<'done'> {
  // Leaves out what callers must not see, as a response does.
  const event = { ...stored, data: events[stored.type].data.parse(stored.data) };
  const webhooks = await listOrganizationWebhooks(organizationId);
  const wanted = webhooks.filter(
    ({ isActive, events: types }) =>
      isActive && (types.includes('*') || types.includes(event.type)),
  );
  const deliveries = wanted.flatMap((webhook) => planDeliveries(webhook, [event]));
  if (deliveries.length > 0) {
    await writeIfMet(remove(key), ...deliveries);
  }

  return 'done';
}
