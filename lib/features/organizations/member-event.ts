import type { User } from '#lib/features/users/users.ts';
import type { Write } from '#lib/platform/db/write.ts';
import type { Membership } from '#lib/platform/identity/identity.ts';
import { planOrganizationEvent } from '#lib/platform/webhooks/organization-events.ts';

export type MemberUser = Pick<User, 'email' | 'firstName' | 'lastName' | 'lastActiveAt'>;

/** Returns a member in the API's format. */
export function presentMember(
  { email, firstName, lastName, lastActiveAt }: MemberUser,
  { userId, role, joinedAt }: Membership,
) {
  return {
    id: userId,
    email,
    firstName,
    lastName,
    avatar: null,
    role,
    joinedAt,
    lastActiveAt,
    status: 'active' as const,
  };
}

/** Plans the event of a member who joined, was removed or left. */
export function planMemberEvent(
  type: 'member.joined' | 'member.removed',
  user: MemberUser,
  membership: Membership,
): Promise<readonly Write[]> {
  return planOrganizationEvent(membership.organizationId, {
    type,
    data: { memberId: membership.userId, member: presentMember(user, membership) },
  });
}
