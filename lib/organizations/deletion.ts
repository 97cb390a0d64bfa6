import { auditWrites } from '#lib/audit/audit-log.ts';
import { timestamp } from '#lib/clock.ts';
import { isMemberKey, type Key, keys, ranges } from '#lib/db/keys.ts';
import { query } from '#lib/db/read.ts';
import { removeMany } from '#lib/db/remove-many.ts';
import { write } from '#lib/db/write.ts';
import type { Membership } from '#lib/identity/identity.ts';
import { planWork } from '#lib/work/outbox.ts';
import type { WorkRequest } from '#lib/work/worker.ts';
import { changeOrganization } from './organizations.ts';

/**
 * Deletes an organization. When this returns, nobody is a member any more; the rest is removed in
 * the background. From the first write on the removal is bound to happen, whatever dies.
 *
 * @throws 404 where it has been deleted already.
 */
export async function deleteOrganization(organizationId: string, actorId: string): Promise<void> {
  const removal = planWork('organizationRemoval', {
    owner: keys.organization(organizationId),
    payload: JSON.stringify({ organizationId }),
  });
  await write(
    changeOrganization(organizationId, { set: { deletedAt: timestamp() } }),
    removal.write,
    ...auditWrites(organizationId, {
      action: 'organization.deleted',
      actorId,
      targetType: 'organization',
      targetId: organizationId,
    }),
  );
  await removeMemberships(organizationId);
  await removal.dispatch();
}

/** The users' side goes first: what finds it again is the organization's side. */
async function removeMemberships(organizationId: string): Promise<void> {
  const members = await query<Membership>(ranges.members(organizationId));
  await removeMany(members.map(({ userId }) => keys.userMembership(userId, organizationId)));
  await removeMany(members);
}

const pageSize = 1_000;
/** A page takes a second or two; the function must not be cut off within one. */
const reserveMs = 15_000;

type AnyItem = Key & {
  readonly userId?: string;
  readonly tokenHash?: string;
  readonly customerId?: string;
};

/** What of an item lies outside the organization's partition, and must go before it does. */
function outsideKeys(organizationId: string, item: AnyItem): readonly Key[] {
  return [
    ...(isMemberKey(item) && item.userId ? [keys.userMembership(item.userId, organizationId)] : []),
    ...(item.tokenHash ? [keys.invitationToken(item.tokenHash)] : []),
    ...(item.customerId ? [keys.customerClaim(item.customerId)] : []),
  ];
}

/**
 * Removes everything of a deleted organization, page by page. It can be stopped anywhere and begun
 * again: what is left is found in the partition, and the organization's own record, which says that
 * it is deleted, goes last, with the work item that led here.
 */
export async function removeOrganization({
  key,
  payload,
  remainingMs,
}: WorkRequest): Promise<'done' | 'unfinished'> {
  const { organizationId }: { organizationId: string } = JSON.parse(payload);
  const organizationKey = keys.organization(organizationId);
  const kept = new Set([key.sk, organizationKey.sk]);
  for (;;) {
    const page = await query<AnyItem>(ranges.everythingOf(organizationId), {
      limit: pageSize,
      expiredToo: true,
    });
    const doomed = page.filter(({ sk }) => !kept.has(sk));
    if (doomed.length === 0) {
      break;
    }
    await removeMany(doomed.flatMap((item) => outsideKeys(organizationId, item)));
    await removeMany(doomed);
    if (remainingMs() < reserveMs) {
      return 'unfinished';
    }
  }
  await removeMany([organizationKey]);

  return 'done';
}
