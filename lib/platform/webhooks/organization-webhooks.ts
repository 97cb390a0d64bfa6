import { isWebhookSource, webhookRanges } from '#lib/platform/db/keys/webhooks.ts';

import { query } from '#lib/platform/db/read.ts';
import type { EventType } from '#schemas/event-types.ts';
import type { WebhookEndpoint } from './endpoints.ts';

/** A webhook of an organization, which receives the events of all its campaigns and accounts. */
export type OrganizationWebhook = Required<Pick<WebhookEndpoint, 'url' | 'secret'>> &
  WebhookEndpoint & {
    /** Event types, or `*` for all of them. */
    readonly events: ReadonlyArray<EventType | '*'>;
    readonly description?: string;
    /** Absent for older webhooks. */
    readonly createdById?: string;
    /** The reason why the service switched it off. */
    readonly disabledReason?: string;
    readonly updatedAt: string;
  };

export function isOrganizationWebhook(endpoint: WebhookEndpoint): endpoint is OrganizationWebhook {
  return isWebhookSource(endpoint.sourceId);
}

/**
 * The number of webhooks of an organization (`value`), and of those that are switched on
 * (`active`). Stored at `eventReceivers`.
 */
export type WebhookCounter = { readonly value: number; readonly active?: number };

/** Returns the webhooks of an organization, oldest first. */
export function listOrganizationWebhooks(
  organizationId: string,
): Promise<readonly OrganizationWebhook[]> {
  return query<OrganizationWebhook>(webhookRanges.organizationWebhooks(organizationId));
}
