import type { Write } from '#lib/platform/db/write.ts';
import type { EventType } from '#schemas/events.ts';
import { planDeliveries } from './deliveries.ts';
import { targetOf, type WebhookEndpoint } from './endpoints.ts';

/** A planned webhook event. Put `writes` into the transaction of the change. */
export type PlannedEvent = {
  readonly writes: readonly Write[];
  /** Call after the transaction commits. The sweep dispatches what is lost. */
  readonly dispatch: () => Promise<void>;
};

export type OutsideEvent = {
  readonly type: EventType;
  readonly data: unknown;
  /** The source is deleted with this event, so the target is stored with the delivery. */
  readonly isLast?: boolean;
};

/** Used when there is no event to send. */
export const noEvent: PlannedEvent = { writes: [], dispatch: async () => undefined };

/** Plans an event for a source's endpoint. Does nothing without an active endpoint. */
export function planEvent(
  endpoint: WebhookEndpoint | undefined,
  event: OutsideEvent,
): PlannedEvent {
  return planEvents(endpoint, [event]);
}

/**
 * Plans several events at once: separate plans for one endpoint would conflict in a transaction.
 */
export function planEvents(
  endpoint: WebhookEndpoint | undefined,
  events: readonly OutsideEvent[],
): PlannedEvent {
  const target = targetOf(endpoint);
  if (!endpoint || !target) {
    return noEvent;
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
