import { timestamp } from '#lib/platform/clock.ts';
import { webhookKeys } from '#lib/platform/db/keys/webhooks.ts';
import { get } from '#lib/platform/db/read.ts';
import type { Write } from '#lib/platform/db/write.ts';
import type { LiveState } from '#lib/platform/live/keep-live.ts';
import { planWork } from '#lib/platform/work/outbox.ts';
import type { EventType } from '#schemas/event-types.ts';
import type { WebhookCounter } from './organization-webhooks.ts';

export type OrganizationEvent = {
  readonly type: EventType;
  readonly data: Readonly<Record<string, unknown>>;
};

/**
 * Plans an event for the webhooks and live connections of an organization. Include it in the
 * transaction of the change. The organization's id is added to `data`. Costs one read. Costs one
 * write more if a webhook is switched on or a connection is open, because a worker then delivers
 * the event.
 */
export async function planOrganizationEvent(
  organizationId: string,
  event: OrganizationEvent,
): Promise<readonly Write[]> {
  return (await organizationEventPlanner(organizationId))([event]);
}

export type EventPlanner = (events: readonly OrganizationEvent[]) => readonly Write[];

/** Use it for several events, or if the read can run before the events are known. */
export async function organizationEventPlanner(organizationId: string): Promise<EventPlanner> {
  const counted = await get<WebhookCounter & LiveState>(webhookKeys.eventReceivers(organizationId));
  if (!counted?.active && !isLive(counted)) {
    return () => [];
  }

  return (events) => events.map((event) => planFanOut(organizationId, event));
}

function isLive(state: LiveState | undefined): boolean {
  return timestamp() < (state?.liveUntil ?? '');
}

function planFanOut(organizationId: string, { type, data }: OrganizationEvent): Write {
  return planWork('webhookFanOut', {
    owner: webhookKeys.webhookDelivery(organizationId, '', ''),
    payload: { organizationId, type, timestamp: timestamp(), data: { organizationId, ...data } },
  });
}
