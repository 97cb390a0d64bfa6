import { beginningWith, counterShard, type Key, tenant } from './key.ts';

export const webhookKeys = {
  /** Where the events of a source, an account or a campaign, are forwarded to. */
  webhookEndpoint: (organizationId: string, sourceId: string): Key => ({
    pk: tenant(organizationId),
    sk: `WEBHOOK#${sourceId}`,
  }),
  /** Deliveries, and the work for them, have a partition of their own beside the organization's. */
  webhookDelivery: (organizationId: string, sourceId: string, deliveryId: string): Key => ({
    pk: webhookDeliveries(organizationId),
    sk: `${sourceId}#DELIVERY#${deliveryId}`,
  }),
  /** The deliveries of one day (`2026-01-15`), which end with it. */
  webhookDeliveryCounter: (
    organizationId: string,
    sourceId: string,
    day: string,
    shard: number,
  ): Key => ({
    pk: webhookDeliveries(organizationId),
    sk: `${sourceId}#COUNT#${day}#${counterShard(shard)}`,
  }),
};

export const webhookRanges = {
  /** Where the events of all accounts and campaigns go on to. */
  webhookEndpoints: (organizationId: string) => beginningWith(tenant(organizationId), 'WEBHOOK#'),
  webhookDeliveries: (organizationId: string, sourceId: string) =>
    beginningWith(webhookDeliveries(organizationId), `${sourceId}#DELIVERY#`),
  webhookDeliveryCounters: (organizationId: string, sourceId: string) =>
    beginningWith(webhookDeliveries(organizationId), `${sourceId}#COUNT#`),
};

function webhookDeliveries(organizationId: string): string {
  return `${tenant(organizationId)}#WEBHOOK_DELIVERIES`;
}

/** Whether a key is that of where an account's or a campaign's events are sent to. */
export function isWebhookEndpointKey({ pk, sk }: Key): boolean {
  return pk.startsWith('ORG#') && sk.startsWith('WEBHOOK#');
}
