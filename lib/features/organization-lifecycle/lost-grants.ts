import { planFeedEnd } from '#lib/features/content/calendar/calendar-address.ts';
import { planKeyRevocations } from '#lib/features/organizations/api-keys.ts';
import {
  type OrganizationSettings,
  requireOrganization,
} from '#lib/features/organizations/organizations.ts';
import {
  mayGive,
  noRevocations,
  planRevocations,
  type Revocations,
} from '#lib/features/organizations/revocations.ts';
import { planEndOfLinks } from '#lib/features/social/oauth/end-connect-links.ts';
import type { Membership } from '#lib/platform/identity/identity.ts';
import { type Role, ranksAbove, ranksAtLeast } from '#schemas/contract.ts';

export type LostGrants = Revocations & {
  /** Read for a member who becomes a MEMBER, to find out whether they may still invite. */
  readonly settings?: OrganizationSettings;
};

/**
 * Plans to end everything that a member created and may no longer create.
 *
 * @param to the new role; undefined for a member who leaves or is removed.
 */
export async function planLostGrants(
  { organizationId, userId, role: from }: Membership,
  to: Role | undefined,
): Promise<LostGrants> {
  if (to && !ranksAbove(from, to)) {
    return noRevocations;
  }
  const settings =
    to === 'MEMBER' ? (await requireOrganization(organizationId)).settings : undefined;
  const allowMemberInvites = settings?.allowMemberInvites ?? false;
  const lacks = (role: Role) => !to || !ranksAtLeast(to, role);
  const lost = await Promise.all([
    planRevocations(
      organizationId,
      ({ invitedBy, role }) =>
        invitedBy === userId && !(to && mayGive(to, role, allowMemberInvites)),
    ),
    lacks('ADMIN') ? planEndOfLinks(organizationId, userId) : noRevocations,
    lacks('MEMBER') ? planFeedEnd(organizationId, userId) : noRevocations,
    // The role of keys changes together with their creator's role.
    to ? noRevocations : planKeyRevocations(organizationId, userId),
  ]);

  return {
    writes: lost.flatMap(({ writes }) => writes),
    details: Object.assign({}, ...lost.map(({ details }) => details)),
    ...(settings ? { settings } : {}),
  };
}
