import { listUsers } from '#lib/features/users/users.ts';
import { organizationRanges } from '#lib/platform/db/keys/organizations.ts';
import { query } from '#lib/platform/db/read.ts';
import type { Membership } from '#lib/platform/identity/identity.ts';
import { presentMember } from './member-event.ts';

/** Returns the members in joining order. */
export async function listMembers(organizationId: string) {
  const memberships = [
    ...(await query<Membership>(organizationRanges.members(organizationId))),
  ].sort(
    (one, other) =>
      one.joinedAt.localeCompare(other.joinedAt) || one.userId.localeCompare(other.userId),
  );
  const users = await listUsers(memberships.map(({ userId }) => userId));
  const byId = new Map(users.map((user) => [user.userId, user]));

  return memberships.flatMap((membership) => {
    const user = byId.get(membership.userId);

    return user ? [presentMember(user, membership)] : [];
  });
}
