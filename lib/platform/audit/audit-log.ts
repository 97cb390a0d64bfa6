import { timestamp } from '#lib/platform/clock.ts';
import { organizationKeys } from '#lib/platform/db/keys/organizations.ts';
import { count, create, type Write } from '#lib/platform/db/write.ts';
import { actingApiKeyId, actingOperatorKeyId } from '#lib/platform/identity/acting-key.ts';
import { newId } from '#lib/platform/ids.ts';

export type AuditAction =
  | 'organization.created'
  | 'organization.updated'
  | 'organization.deleted'
  | 'organization.suspended'
  | 'organization.resumed'
  | 'member.invited'
  | 'member.joined'
  | 'sign_in_link.created'
  | 'member.role_changed'
  | 'member.removed'
  | 'member.left'
  | 'api_key.created'
  | 'api_key.revoked'
  | 'invitation.revoked'
  | 'invitation.declined'
  | 'billing.set_up'
  | 'billing.credits_purchased'
  | 'billing.credits_adjusted'
  | 'billing.auto_refill_changed'
  | 'billing.payment_method_added'
  | 'billing.payment_method_removed'
  | 'billing.default_payment_method_changed'
  | 'billing.subscription_created'
  | 'billing.subscription_canceled'
  | 'billing.subscription_paused'
  | 'billing.subscription_resumed'
  | 'billing.subscription_plan_changed'
  | 'social_account.connected'
  | 'social_account.reconnected'
  | 'social_account.updated'
  | 'social_account.token_refreshed'
  | 'social_account.deactivated'
  | 'social_account.messaging_connected'
  | 'social_account.messaging_expired'
  | 'social_account.disconnected'
  | 'social_account.webhook_subscribed'
  | 'connect_link.created'
  | 'connect_link.deleted'
  | 'agent.created'
  | 'agent.updated'
  | 'agent.deleted'
  | 'campaign.created'
  | 'campaign.updated'
  | 'campaign.deleted'
  | 'leads.exported'
  | 'contact.erased'
  | 'contact.exported'
  | 'webhook.created'
  | 'webhook.updated'
  | 'webhook.secret_rotated'
  | 'webhook.disabled'
  | 'webhook.deleted';

export type AuditRecord = {
  readonly action: AuditAction;
  /** Null if the service itself acted. */
  readonly actorId: string | null;
  /** Default: the first part of the action. */
  readonly targetType?:
    | 'organization'
    | 'member'
    | 'invitation'
    | 'api_key'
    | 'sign_in_link'
    | 'billing'
    | 'social_account'
    | 'connect_link'
    | 'agent'
    | 'campaign'
    | 'contact'
    | 'conversation'
    | 'webhook';
  /** Default: the organization. */
  readonly targetId?: string;
  readonly details?: Readonly<Record<string, unknown>>;
  /** The operator key that made the change. Default: the key of the request. */
  readonly actorOperatorKeyId?: string | null;
};

export type AuditEntry = Required<AuditRecord> & {
  readonly id: string;
  /** The API key that the actor's request used. Null for people. */
  readonly actorApiKeyId: string | null;
  readonly createdAt: string;
};

export const auditCounter = 'AUDIT';

/**
 * Returns the writes for an audit entry and its counter. They belong in the transaction of the
 * audited change.
 */
export function planAudit(organizationId: string, record: AuditRecord): readonly Write[] {
  const id = newId();
  const { actorId } = record;
  const actorApiKeyId = actingApiKeyId(actorId);
  const entry: AuditEntry = {
    targetType: record.action.split('.')[0] as AuditEntry['targetType'],
    targetId: organizationId,
    details: {},
    actorOperatorKeyId: actingOperatorKeyId(),
    ...record,
    // An operator's API key has no creator. Its own id replaces the creator's.
    actorId: actorId === actorApiKeyId ? null : actorId,
    actorApiKeyId,
    id,
    createdAt: timestamp(),
  };

  return [
    create(organizationKeys.auditEntry(organizationId, id), entry),
    count(organizationKeys.counter(organizationId, auditCounter), { value: 1 }),
  ];
}
