import {
  beginningWith,
  counterShard,
  inTenant,
  type Key,
  key,
  tenant,
  wholePartition,
  workOf,
} from './key.ts';

export const webhookKeys = {
  /** The URL that receives the events of a source, which is an account or a campaign. */
  webhookEndpoint: (organizationId: string, sourceId: string) =>
    inTenant(organizationId, `WEBHOOK#${sourceId}`),
  /**
   * Counts the webhooks of an organization, and contains the time until which it has live
   * connections.
   */
  eventReceivers: (organizationId: string) => inTenant(organizationId, 'COUNT#WEBHOOKS'),
  /**
   * Deliveries and their work share a partition. It is separate from the organization's main one.
   */
  webhookDelivery: (organizationId: string, sourceId: string, deliveryId: string) =>
    key(webhookDeliveries(organizationId), `${sourceId}#DELIVERY#${deliveryId}`),
  /** The number of deliveries on one day (`2026-01-15`). Expires together with them. */
  webhookDeliveryCounter: (organizationId: string, sourceId: string, day: string, shard: number) =>
    key(webhookDeliveries(organizationId), `${sourceId}#COUNT#${day}#${counterShard(shard)}`),
};

const sourcePrefix = 'ORGANIZATION#';

/**
 * Returns the source of an organization's webhook. The prefix separates its endpoint from those of
 * campaigns and accounts, so that a query can list the webhooks.
 */
export function webhookSource(webhookId: string): string {
  return `${sourcePrefix}${webhookId}`;
}

export function isWebhookSource(sourceId: string): boolean {
  return sourceId.startsWith(sourcePrefix);
}

export const webhookRanges = {
  webhookEndpoints: (organizationId: string) => beginningWith(tenant(organizationId), 'WEBHOOK#'),
  organizationWebhooks: (organizationId: string) =>
    beginningWith(tenant(organizationId), `WEBHOOK#${sourcePrefix}`),
  webhookDeliveries: (organizationId: string, sourceId: string) =>
    beginningWith(webhookDeliveries(organizationId), `${sourceId}#DELIVERY#`),
  /** The deliveries of a source, starting with the given id. */
  webhookDeliveriesFrom: (organizationId: string, sourceId: string, id: string) => ({
    ...beginningWith(webhookDeliveries(organizationId), `${sourceId}#DELIVERY#`),
    from: `${sourceId}#DELIVERY#${id}`,
  }),
  /** The deliveries of all sources, with their counters and work. */
  allWebhookDeliveries: (organizationId: string) =>
    wholePartition(webhookDeliveries(organizationId)),
  /** Events whose deliveries have not been created yet. */
  waitingEvents: (organizationId: string) =>
    beginningWith(webhookDeliveries(organizationId), workOf('webhookFanOut')),
  /** Deliveries that have not been attempted yet, or are retried. */
  webhookWork: (organizationId: string) =>
    beginningWith(webhookDeliveries(organizationId), workOf('webhook')),
  webhookDeliveryCounters: (organizationId: string, sourceId: string) =>
    beginningWith(webhookDeliveries(organizationId), `${sourceId}#COUNT#`),
};

function webhookDeliveries(organizationId: string): string {
  return `${tenant(organizationId)}#WEBHOOK_DELIVERIES`;
}

export function isWebhookEndpointKey({ pk, sk }: Key): boolean {
  return pk.startsWith('ORG#') && sk.startsWith('WEBHOOK#');
}
