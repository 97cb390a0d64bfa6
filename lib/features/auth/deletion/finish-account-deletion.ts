import { deleteWithAccount } from '#lib/features/organization-lifecycle/deletion.ts';
import { removeMember } from '#lib/features/organization-lifecycle/remove-member.ts';
import type { MemberUser } from '#lib/features/organizations/member-event.ts';
import type { Organization } from '#lib/features/organizations/organizations.ts';
import type { User } from '#lib/features/users/users.ts';
import { atMostAtOnce } from '#lib/platform/concurrency.ts';
import type { Key } from '#lib/platform/db/keys/key.ts';
import { organizationKeys } from '#lib/platform/db/keys/organizations.ts';
import { outboxKind } from '#lib/platform/db/keys/system.ts';
import { userRanges } from '#lib/platform/db/keys/users.ts';
import { get, query } from '#lib/platform/db/read.ts';
import { removeMany } from '#lib/platform/db/remove-many.ts';
import { ApiError } from '#lib/platform/errors/failures.ts';
import { listMembershipsOf } from '#lib/platform/identity/identity.ts';

/** The data of a deleted account's user that is still needed. */
export type DeletedAccount = Pick<User, 'userId'> & MemberUser;

const membershipsAtOnce = 5;

/**
 * Removes all data of a deleted account: first sessions, then memberships and the access that they
 * granted, and finally the rest. It can be interrupted and repeated, even concurrently.
 */
export async function finishAccountDeletion(account: DeletedAccount): Promise<void> {
  const { userId } = account;
  await removeMany(await query<Key>(userRanges.sessions(userId), { expiredToo: true }));
  const memberships = await listMembershipsOf(userId);
  await atMostAtOnce(membershipsAtOnce, memberships, ({ organizationId }) =>
    leave(organizationId, account),
  );
  const rest = await query<Key>(userRanges.everythingOfUser(userId), { expiredToo: true });
  // Keeps unsent emails and this work item.
  await removeMany(rest.filter(({ sk }) => outboxKind(sk) === undefined));
}

/** The user is no longer an owner, because deleting the account has ended the last ownership. */
async function leave(organizationId: string, account: DeletedAccount): Promise<void> {
  const { userId } = account;
  const organization = await get<Organization>(organizationKeys.organization(organizationId));
  if (organization?.deletedWith === userId) {
    await deleteWithAccount(organization, userId);

    return;
  }
  try {
    await removeMember(organizationId, { userId, role: 'VIEWER' }, userId, account);
  } catch (failure) {
    // An earlier attempt, another member or the organization's deletion has removed the membership.
    if (!(failure instanceof ApiError && failure.kind === 'notFound')) {
      throw failure;
    }
  }
}
