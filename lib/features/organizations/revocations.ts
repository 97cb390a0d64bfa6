import { timestamp } from '#lib/platform/clock.ts';
import { above, allOf, equals } from '#lib/platform/db/conditions.ts';
import { organizationKeys } from '#lib/platform/db/keys/organizations.ts';
import { change, discard, type Write, write } from '#lib/platform/db/write.ts';
import type { Role } from '#schemas/contract.ts';
import { type Invitation, listInvitations, presentInvitation } from './invitations.ts';

const grantable: Readonly<Record<Role, readonly Role[]>> = {
  OWNER: ['OWNER', 'ADMIN', 'MEMBER', 'VIEWER'],
  ADMIN: ['ADMIN', 'MEMBER', 'VIEWER'],
  MEMBER: ['MEMBER', 'VIEWER'],
  VIEWER: [],
};

/** True if a member with the role `giver` may invite others as `role`. */
export function mayGive(giver: Role, role: Role, allowMemberInvites: boolean): boolean {
  return grantable[giver].includes(role) && (giver !== 'MEMBER' || allowMemberInvites);
}

/**
 * Each needs two writes, in a transaction of at most 100 that may also remove 20 API keys and 20
 * connect links.
 */
export const maxPerTransaction = 10;

/** Invitations that end when a member loses the right to create them. */
export type Revocations = {
  readonly writes: readonly Write[];
  /** For the audit entry. */
  readonly details: {
    readonly revokedInvitations?: number;
    readonly revokedApiKeys?: number;
    readonly endedConnectLinks?: number;
    readonly endedCalendarAddress?: true;
  };
};

export const noRevocations: Revocations = { writes: [], details: {} };

/**
 * Plans to revoke pending invitations, in the transaction that ends the right of their creators to
 * grant these roles. Invitations beyond the limit of a transaction are revoked immediately.
 *
 * The writes throw ConditionNotMetError if an invitation ended concurrently: retry.
 */
export async function planRevocations(
  organizationId: string,
  isRevoked: (invitation: Invitation) => boolean,
): Promise<Revocations> {
  const revoked = (await listInvitations(organizationId)).filter(
    (invitation) => presentInvitation(invitation).status === 'pending' && isRevoked(invitation),
  );
  const planAll = (invitations: readonly Invitation[]) => invitations.flatMap(planRevocation);
  for (let start = maxPerTransaction; start < revoked.length; start += maxPerTransaction) {
    await write(...planAll(revoked.slice(start, start + maxPerTransaction)));
  }

  return {
    writes: planAll(revoked.slice(0, maxPerTransaction)),
    details: revoked.length === 0 ? {} : { revokedInvitations: revoked.length },
  };
}

function planRevocation({ organizationId, invitationId, email }: Invitation): readonly Write[] {
  return [
    change(organizationKeys.invitation(organizationId, invitationId), {
      set: { status: 'revoked' },
      when: allOf(equals('status', 'pending'), above('expiresAt', timestamp())),
    }),
    discard(organizationKeys.pendingInvitation(organizationId, email)),
  ];
}
