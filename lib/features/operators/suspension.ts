import { planSuspensionListing } from '#lib/features/organizations/listed-organizations.ts';
import { findOrganization } from '#lib/features/organizations/organizations.ts';
import { atMostAtOnce } from '#lib/platform/concurrency.ts';
import { absent, below, either } from '#lib/platform/db/conditions.ts';
import type { Key } from '#lib/platform/db/keys/key.ts';
import { organizationKeys, organizationRanges } from '#lib/platform/db/keys/organizations.ts';
import { userKeys } from '#lib/platform/db/keys/users.ts';
import { webhookRanges } from '#lib/platform/db/keys/webhooks.ts';
import { query } from '#lib/platform/db/read.ts';
import { change, type Write } from '#lib/platform/db/write.ts';
import { writeIfMet } from '#lib/platform/db/write-if-met.ts';
import type { ApiKey, Membership } from '#lib/platform/identity/identity.ts';
import { dispatch, planWork } from '#lib/platform/work/outbox.ts';
import type { WorkRequest } from '#lib/platform/work/worker.ts';

const atOnce = 20;

/** Plans the entry in the operator's list, and the work that applies a suspension or ends it. */
export function planSuspension(
  organizationId: string,
  suspendedAt: string | null,
): readonly Write[] {
  return [
    ...planSuspensionListing(organizationId, suspendedAt),
    planWork('suspension', {
      owner: organizationKeys.organization(organizationId),
      payload: { organizationId },
    }),
  ];
}

/**
 * Copies the organization's suspension to both sides of all memberships and to the API keys, which
 * requests read anyway. Nobody joins and no key is created while the organization is suspended, so
 * none is missed. The version ensures that the last change wins. After a suspension ends, waiting
 * webhook deliveries are sent.
 */
export async function applySuspension({ payload }: WorkRequest<'suspension'>): Promise<'done'> {
  const { organizationId } = payload;
  const organization = await findOrganization(organizationId);
  if (!organization) {
    return 'done';
  }
  const { suspendedAt, suspensionVersion = 0 } = organization;
  const set = { isSuspended: suspendedAt ? true : null, suspensionVersion };
  const when = either(absent('suspensionVersion'), below('suspensionVersion', suspensionVersion));
  await atMostAtOnce(atOnce, await findHolders(organizationId), (key) =>
    writeIfMet(change(key, { set, when })),
  );
  if (!suspendedAt) {
    await sendWaitingWebhooks(organizationId);
  }

  return 'done';
}

async function findHolders(organizationId: string): Promise<readonly Key[]> {
  const [members, apiKeys] = await Promise.all([
    query<Membership>(organizationRanges.members(organizationId)),
    query<Pick<ApiKey, 'keyHash'>>(organizationRanges.apiKeyEntries(organizationId)),
  ]);

  return [
    ...apiKeys.map(({ keyHash }) => organizationKeys.apiKey(keyHash)),
    ...members.flatMap(({ userId }) => [
      userKeys.userMembership(userId, organizationId),
      organizationKeys.member(organizationId, userId),
    ]),
  ];
}

async function sendWaitingWebhooks(organizationId: string): Promise<void> {
  const waiting = await query<Key>(webhookRanges.webhookWork(organizationId), { keysOnly: true });
  await atMostAtOnce(atOnce, waiting, (key) => dispatch('webhook', key, {}));
}
