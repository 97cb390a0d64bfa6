import { webhookKeys } from '#lib/platform/db/keys/webhooks.ts';
import { get } from '#lib/platform/db/read.ts';

/**
 * The webhook endpoint of a source: a social account, a campaign or a webhook of the organization. A
 * source has at most one.
 */
export type WebhookEndpoint = {
  readonly id: string;
  readonly organizationId: string;
  readonly sourceId: string;
  /** Absent if nothing is sent. */
  readonly url?: string;
  /** Encrypted. Present whenever `url` is. */
  readonly secret?: string;
  /** The previous secret, encrypted. Until `formerSecretUntil`, both secrets sign. */
  readonly formerSecret?: string;
  readonly formerSecretUntil?: string;
  /** The first failed attempt since the last success, for webhooks of an organization. */
  readonly failingSince?: string;
  /** False after the receiver returned 410 Gone, and while a webhook is switched off. */
  readonly isActive: boolean;
  readonly createdAt: string;
};

export type WebhookTarget = Required<Pick<WebhookEndpoint, 'url' | 'secret'>> &
  Pick<WebhookEndpoint, 'formerSecret' | 'formerSecretUntil'>;

/** Returns the delivery target of an endpoint; `undefined` if nothing is sent. */
export function targetOf(endpoint: WebhookEndpoint | undefined): WebhookTarget | undefined {
  const { isActive, url, secret, formerSecret, formerSecretUntil } = endpoint ?? {};

  return isActive && url && secret
    ? {
        url,
        secret,
        ...(formerSecret && formerSecretUntil ? { formerSecret, formerSecretUntil } : {}),
      }
    : undefined;
}

export function findWebhookEndpoint<Endpoint extends WebhookEndpoint>(
  organizationId: string,
  sourceId: string,
): Promise<Endpoint | undefined> {
  return get<Endpoint>(webhookKeys.webhookEndpoint(organizationId, sourceId));
}
