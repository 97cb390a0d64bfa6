import { findUserIdByEmail, fullName, requireUser, type User } from '#lib/features/users/users.ts';
import { planAudit } from '#lib/platform/audit/audit-log.ts';
import { dayMs, epochSeconds, now, timestamp } from '#lib/platform/clock.ts';
import { hashToken, newOneTimeToken } from '#lib/platform/crypto/one-time-token.ts';
import { equals, isGone } from '#lib/platform/db/conditions.ts';
import { ConditionNotMetError } from '#lib/platform/db/failures.ts';
import { organizationKeys } from '#lib/platform/db/keys/organizations.ts';
import { get } from '#lib/platform/db/read.ts';
import { change, create, type ExtraWrites, type Write, write } from '#lib/platform/db/write.ts';
import { forbidden, notFound, overtaken } from '#lib/platform/errors/failures.ts';
import { findMembership } from '#lib/platform/identity/identity.ts';
import { newId } from '#lib/platform/ids.ts';
import { invitationMail } from '#lib/platform/mail/mails.ts';
import { planMail } from '#lib/platform/mail/outgoing-mail.ts';
import {
  giveBackAllowed,
  type RateLimitState,
  requireAllowed,
} from '#lib/platform/rate-limits/rate-limiter.ts';
import type { BodyOf, Role } from '#schemas/contract.ts';
import type { inviteMember } from '#schemas/organizations.ts';
import { alreadyMember, type Invitation, planInvitationEnd } from './invitations.ts';
import { countMailToStranger } from './mails-to-strangers.ts';
import { planMemberGrant } from './member-grants.ts';
import type { Actor } from './members.ts';
import {
  type Organization,
  planOrganizationChange,
  planOrganizationExists,
  requireOrganization,
} from './organizations.ts';

const lifetimeMs = 7 * dayMs;
/** Ended invitations remain available for this long. */
const retentionSeconds = 90 * 24 * 3600;

export type InvitationRequest = BodyOf<typeof inviteMember>;

function checkGrant(actor: Actor, role: Role): void {
  if (role === 'OWNER' && actor.role !== 'OWNER') {
    throw forbidden('Only owners can grant or revoke the owner role');
  }
  if (actor.role === 'MEMBER' && role === 'ADMIN') {
    throw forbidden('Members can only invite as MEMBER or VIEWER');
  }
}

/**
 * Invites an address. Replaces any pending invitation for it. Only the email contains the token.
 *
 * @throws 403 if the actor may not grant the role, 409 if the address belongs to a member, 429
 * after too many invitations to the address or by an unverified actor.
 */
export async function invite(
  organizationId: string,
  actor: Actor,
  request: InvitationRequest,
  counted: (states: readonly RateLimitState[]) => void,
  extraWrites: ExtraWrites<Invitation>,
): Promise<Invitation> {
  checkGrant(actor, request.role);
  const [organization, inviter, pending] = await Promise.all([
    requireOrganization(organizationId),
    requireUser(actor.userId),
    get<PendingClaim>(organizationKeys.pendingInvitation(organizationId, request.email)),
    rejectMember(organizationId, request.email),
  ]);
  const limits = await countMailToStranger(inviter, request.email);
  counted(limits);
  try {
    requireAllowed(limits);

    return await writeWithMail({ organization, actor, inviter, request, pending }, extraWrites);
  } catch (failure) {
    await giveBackAllowed(limits);
    throw failure;
  }
}

type Accepted = {
  readonly organization: Organization;
  readonly actor: Actor;
  readonly inviter: User;
  readonly request: InvitationRequest;
  readonly pending: PendingClaim | undefined;
};

async function writeWithMail(
  { organization, actor, inviter, request, pending }: Accepted,
  extraWrites: ExtraWrites<Invitation>,
): Promise<Invitation> {
  const { organizationId } = organization;
  const token = newOneTimeToken();
  const invitation = newInvitation(organizationId, actor.userId, request, hashToken(token));
  const mail = await planMail(
    organizationKeys.organization(organizationId),
    invitationMail({
      to: request.email,
      organizationName: organization.name,
      inviterName: fullName(inviter),
      isInviterVerified: inviter.emailVerified,
      message: request.message ?? undefined,
      token,
    }),
  );
  await writeInvitation(invitation, actor, pending, [...(await extraWrites(invitation)), mail]);

  return invitation;
}

async function rejectMember(organizationId: string, email: string): Promise<void> {
  const userId = await findUserIdByEmail(email);
  if (userId && (await findMembership(organizationId, userId))) {
    throw alreadyMember();
  }
}

function newInvitation(
  organizationId: string,
  invitedBy: string,
  { email, role }: InvitationRequest,
  tokenHash: string,
): Invitation {
  const nowMs = now();

  return {
    invitationId: newId(),
    organizationId,
    email,
    role,
    invitedBy,
    invitedAt: timestamp(0, nowMs),
    expiresAt: timestamp(lifetimeMs, nowMs),
    status: 'pending',
    tokenHash,
    expiresAtSeconds: epochSeconds(lifetimeMs / 1000 + retentionSeconds),
  };
}

/** A reference to the latest invitation of an address, until it is accepted or revoked. */
type PendingClaim = Pick<Invitation, 'invitationId' | 'expiresAt'>;

async function writeInvitation(
  invitation: Invitation,
  actor: Actor,
  replaced: PendingClaim | undefined,
  others: readonly Write[],
): Promise<void> {
  const { organizationId, invitationId, email, role, invitedBy, expiresAt } = invitation;
  const claim = { invitationId, expiresAtSeconds: invitation.expiresAtSeconds };
  const isPending = replaced !== undefined && replaced.expiresAt > timestamp();
  try {
    await write(
      ...others,
      create(organizationKeys.invitation(organizationId, invitationId), invitation),
      create(organizationKeys.invitationToken(invitation.tokenHash), { ...claim, organizationId }),
      change(organizationKeys.pendingInvitation(organizationId, email), {
        set: { ...claim, expiresAt },
        when: replaced ? equals('invitationId', replaced.invitationId) : isGone(),
        orCreate: true,
      }),
      ...(isPending ? [planInvitationEnd(organizationId, replaced.invitationId, 'revoked')] : []),
      ...planRightToInvite(organizationId, actor),
      ...planAudit(organizationId, {
        action: 'member.invited',
        actorId: invitedBy,
        targetType: 'invitation',
        targetId: invitationId,
        details: { email, role },
      }),
    );
  } catch (failure) {
    throw failure instanceof ConditionNotMetError
      ? overtaken('Another request is inviting this email address. Try again')
      : failure;
  }
}

/**
 * Requires that the actor may still invite. A concurrent request that ends this right sees the new
 * version, and revokes this invitation, too.
 */
function planRightToInvite(organizationId: string, actor: Actor): readonly Write[] {
  return [
    actor.role === 'MEMBER'
      ? planOrganizationChange(organizationId, {
          add: { inviteVersion: 1 },
          when: equals('settings.allowMemberInvites', true),
          onConditionFailed: (stored) =>
            stored && !stored.deletedAt
              ? forbidden('Only owners and admins can invite members')
              : notFound('Organization'),
        })
      : planOrganizationExists(organizationId),
    planMemberGrant(organizationId, actor),
  ];
}
