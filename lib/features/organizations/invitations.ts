import { findUserIdByEmail, requireUser, type User } from '#lib/features/users/users.ts';
import { type AuditRecord, planAudit } from '#lib/platform/audit/audit-log.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { hashToken } from '#lib/platform/crypto/one-time-token.ts';
import { above, absent, allOf, equals } from '#lib/platform/db/conditions.ts';
import type { StoredItem } from '#lib/platform/db/failures.ts';
import { organizationKeys, organizationRanges } from '#lib/platform/db/keys/organizations.ts';
import { userKeys } from '#lib/platform/db/keys/users.ts';
import { get, query } from '#lib/platform/db/read.ts';
import {
  change,
  discard,
  type ExtraWrites,
  ensure,
  type Write,
  write,
} from '#lib/platform/db/write.ts';
import {
  type ApiError,
  apiError,
  notFound,
  requireFound,
  sessionInvalid,
  wrongState,
} from '#lib/platform/errors/failures.ts';
import type { Membership } from '#lib/platform/identity/identity.ts';
import { hasQuota, quotaExceeded } from '#lib/platform/quotas/quotas.ts';
import type { Role } from '#schemas/contract.ts';
import { planMemberEvent } from './member-event.ts';
import {
  isOpen,
  notOpen,
  type Organization,
  planMembership,
  planOrganizationChange,
  requireOrganization,
} from './organizations.ts';

export type Invitation = {
  readonly invitationId: string;
  readonly organizationId: string;
  readonly email: string;
  readonly role: Role;
  readonly invitedBy: string;
  readonly invitedAt: string;
  readonly expiresAt: string;
  readonly status: 'pending' | 'accepted' | 'declined' | 'revoked';
  readonly tokenHash: string;
  readonly expiresAtSeconds: number;
};

type TokenClaim = { readonly organizationId: string; readonly invitationId: string };

/** Presents an invitation. A pending one past its expiry is shown as expired. */
export function presentInvitation(invitation: Invitation) {
  const isOver = invitation.status === 'pending' && invitation.expiresAt <= timestamp();

  return {
    ...invitation,
    id: invitation.invitationId,
    status: isOver ? ('expired' as const) : invitation.status,
  };
}

export function alreadyMember(): ApiError {
  return apiError('ALREADY_MEMBER', 'User is already a member of this organization');
}

/** Ends an invitation if it is pending and has not expired. */
export function planInvitationEnd(
  organizationId: string,
  invitationId: string,
  status: Exclude<Invitation['status'], 'pending'>,
): Write {
  return change(organizationKeys.invitation(organizationId, invitationId), {
    set: { status },
    when: allOf(equals('status', 'pending'), above('expiresAt', timestamp())),
    onConditionFailed: (stored) =>
      stored ? alreadyEnded(stored as unknown as Invitation) : notFound('Invitation'),
  });
}

/** Returns all stored invitations, newest first. */
export async function listInvitations(organizationId: string): Promise<readonly Invitation[]> {
  return query<Invitation>(organizationRanges.invitations(organizationId), { newestFirst: true });
}

function alreadyEnded(invitation: Invitation) {
  const state = presentInvitation(invitation).status;

  return wrongState(`Invitation is already ${state}`, state);
}

function findInvitation(
  organizationId: string,
  invitationId: string,
): Promise<Invitation | undefined> {
  return get<Invitation>(organizationKeys.invitation(organizationId, invitationId));
}

/** @throws 404 for an unknown invitation, 409 if it is not pending. */
export async function revokeInvitation(
  organizationId: string,
  actorId: string,
  invitationId: string,
): Promise<void> {
  const invitation = requireFound(await findInvitation(organizationId, invitationId), 'Invitation');
  await write(
    planInvitationEnd(organizationId, invitationId, 'revoked'),
    discard(organizationKeys.pendingInvitation(organizationId, invitation.email)),
    ...planAudit(organizationId, {
      action: 'invitation.revoked',
      actorId,
      targetId: invitationId,
    }),
  );
}

/**
 * Returns the pending invitation for a token.
 *
 * @param email is undefined if the token proves the invited address.
 * @throws 404 for an unknown token, 403 if it was sent to another address, 409 if it is no longer
 * pending.
 */
export async function requireInvitationFor(
  email: string | undefined,
  token: string,
): Promise<Invitation> {
  return pendingFor(email, await findByToken(token));
}

async function findByToken(token: string): Promise<Invitation | undefined> {
  const claim = await get<TokenClaim>(organizationKeys.invitationToken(hashToken(token)));

  return claim ? findInvitation(claim.organizationId, claim.invitationId) : undefined;
}

function sentToAnotherAddress(): ApiError {
  return apiError(
    'INVITATION_ADDRESS_MISMATCH',
    'This invitation was sent to another email address',
  );
}

function pendingFor(email: string | undefined, found: Invitation | undefined): Invitation {
  const invitation = requireFound(found, 'Invitation');
  if (email !== undefined && invitation.email !== email) {
    throw sentToAnotherAddress();
  }
  if (presentInvitation(invitation).status !== 'pending') {
    throw alreadyEnded(invitation);
  }

  return invitation;
}

/** Plans that the user becomes a member, and the event about it. */
export async function planAcceptance(invitation: Invitation, user: User) {
  const { organizationId, invitationId, role, email } = invitation;
  const { membership, writes } = await planJoining(organizationId, user, role, {
    details: { invitationId },
  });

  return {
    membership,
    writes: [
      planInvitationEnd(organizationId, invitationId, 'accepted'),
      ...writes,
      discard(organizationKeys.pendingInvitation(organizationId, email)),
    ],
  };
}

/** Plans a membership, its event and its audit entry. */
export async function planJoining(
  organizationId: string,
  user: User,
  role: Role,
  audit: Pick<AuditRecord, 'details' | 'actorOperatorKeyId'>,
) {
  const { userId } = user;
  const membership: Membership = { organizationId, userId, role, joinedAt: timestamp() };
  const writes: readonly Write[] = [
    ...(await planMemberEvent('member.joined', user, membership)),
    ...planMembership(membership, alreadyMember),
    planOrganizationChange(organizationId, {
      add: { memberCount: 1, ...(role === 'OWNER' ? { ownerCount: 1 } : {}) },
      when: allOf(hasQuota('members', 'memberCount'), isOpen),
      onConditionFailed: (stored) =>
        stored && !stored.deletedAt && !stored.suspendedAt
          ? quotaExceeded('members', stored)
          : notOpen(stored),
    }),
    ...planAudit(organizationId, {
      action: 'member.joined',
      actorId: userId,
      targetId: userId,
      ...audit,
      details: { ...audit.details, role },
    }),
  ];

  return { membership, writes };
}

/**
 * Returns the public details of a token's invitation, even if the invitation has ended.
 *
 * @throws 404 for an unknown token, or if the organization was deleted.
 */
export async function lookUpInvitation(token: string) {
  const invitation = requireFound(await findByToken(token), 'Invitation');
  const [organization, invitedBy, userId] = await Promise.all([
    requireOrganization(invitation.organizationId),
    get<User>(userKeys.user(invitation.invitedBy)),
    findUserIdByEmail(invitation.email),
  ]);

  return {
    invitation: { ...presentInvitation(invitation), organization, invitedBy },
    hasAccount: userId !== undefined,
  };
}

/** Returns the user and the pending invitation for a token that was sent to their address. */
async function requireOwnInvitation(
  userId: string,
  token: string,
): Promise<{ readonly user: User; readonly invitation: Invitation }> {
  const [user, found] = await Promise.all([requireUser(userId), findByToken(token)]);

  return { user, invitation: pendingFor(user.email, found) };
}

function isUnprovenChange({ emailVerified, emailChanges = 0 }: User): boolean {
  return emailChanges > 0 && !emailVerified;
}

function unprovenAddress(): ApiError {
  return apiError('EMAIL_UNVERIFIED', 'Verify your email address before you accept an invitation');
}

/**
 * Marks the address as verified, because the token was emailed to it, so the user can read its
 * mail. Fails if the account was deleted.
 */
function planJoiner({ userId, email, emailVerified }: User, role: Role): Write {
  const key = userKeys.user(userId);
  const add = role === 'OWNER' ? { ownerVersion: 1 } : {};
  const onConditionFailed = (stored: StoredItem | undefined) =>
    stored ? sentToAnotherAddress() : sessionInvalid();
  if (!emailVerified) {
    const when = allOf(equals('email', email), absent('emailChanges'));

    return change(key, { set: { emailVerified: true }, add, when, onConditionFailed });
  }

  return role === 'OWNER'
    ? change(key, { add, onConditionFailed })
    : ensure(key, { onConditionFailed });
}

export type JoinedOrganization = {
  readonly membership: Membership;
  /** Set if it was read in the same request. */
  readonly organization?: Organization;
};

/**
 * Joins the organization that sent the invitation. Also verifies the user's address.
 *
 * @throws 403 if the user changed to the address without verifying it, because a stranger with a
 * leaked link could otherwise claim to be the invited person.
 */
export async function acceptInvitation(
  userId: string,
  token: string,
  extraWrites: ExtraWrites<JoinedOrganization>,
): Promise<JoinedOrganization> {
  const { user, invitation } = await requireOwnInvitation(userId, token);
  if (isUnprovenChange(user)) {
    throw unprovenAddress();
  }
  const { membership, writes } = await planAcceptance(invitation, user);
  const kept = await extraWrites({ membership });
  // If the organization does not exist, the write fails with the same error.
  const [organization] = await Promise.all([
    requireOrganization(invitation.organizationId),
    write(...kept, ...writes, planJoiner(user, invitation.role)),
  ]);

  return { organization, membership };
}

export async function declineInvitation(
  userId: string,
  token: string,
  extraWrites: ExtraWrites<void>,
): Promise<void> {
  const { invitation } = await requireOwnInvitation(userId, token);
  const { organizationId, invitationId } = invitation;
  await write(
    ...(await extraWrites()),
    planInvitationEnd(organizationId, invitationId, 'declined'),
    discard(organizationKeys.pendingInvitation(organizationId, invitation.email)),
    ...planAudit(organizationId, {
      action: 'invitation.declined',
      actorId: userId,
      targetId: invitationId,
    }),
  );
}
