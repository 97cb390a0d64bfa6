import type { Write } from '#lib/platform/db/write.ts';
import type { EventType } from '#schemas/event-types.ts';
import { planDeliveries } from './deliveries.ts';
import { targetOf, type WebhookEndpoint } from './endpoints.ts';

export type OutsideEvent = {
  readonly type: EventType;
  readonly data: unknown;
  /** The source is deleted with this event, so the target is stored on the delivery. */
  readonly isLast?: boolean;
};

/**
 * Plans an event for a source's endpoint. Plans nothing if there is no endpoint or it is switched
 * off.
 */
export function planEvent(
  endpoint: WebhookEndpoint | undefined,
  event: OutsideEvent,
): readonly Write[] {
  return planEvents(endpoint, [event]);
}

/**
 * Plans several events together, because separate plans for one endpoint would conflict in a
 * transaction.
 */
export function planEvents(
  endpoint: WebhookEndpoint | undefined,
  events: readonly OutsideEvent[],
): readonly Write[] {
  const target = targetOf(endpoint);
  if (!endpoint || !target) {
    return [];
  }

  return planDeliveries(
    endpoint,
    events.map(({ type, data, isLast = false }) => ({
      type,
      data,
      ...(isLast ? { target } : {}),
    })),
  );
}
