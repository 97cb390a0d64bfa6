import type { Key } from '#lib/platform/db/keys/key.ts';
import { organizationKeys } from '#lib/platform/db/keys/organizations.ts';
import { userKeys, userRanges } from '#lib/platform/db/keys/users.ts';
import { get, getMany, query } from '#lib/platform/db/read.ts';
import type { OrganizationSwitch, Role } from '#schemas/contract.ts';
import type { NotificationKind, NotificationWay } from '#schemas/organizations.ts';
import type { AccessTokenClaims } from './access-token.ts';

/** A signed-in device. Deleting the item ends the session and invalidates its token. */
export type Session = {
  readonly sessionId: string;
  readonly userId: string;
  readonly currentOrganizationId?: string;
  readonly createdAt: string;
  readonly lastActiveAt: string;
  readonly ipAddress: string;
  readonly userAgent: string;
  readonly expiresAtSeconds: number;
  /** Set if this session changed the password. The session's older live connections have ended. */
  readonly passwordChangedAt?: string;
};

/** A user's membership of an organization. */
export type Membership = {
  readonly organizationId: string;
  readonly userId: string;
  readonly role: Role;
  readonly joinedAt: string;
  /** Copied from the organization, because each request reads the membership. */
  readonly isSuspended?: true;
  /** The organization's `suspensionVersion` at the last copy. */
  readonly suspensionVersion?: number;
  /**
   * Incremented when the member loses the right to send such invitations. Only on the
   * organization's side.
   */
  readonly inviteVersion?: number;
  /**
   * The time of the member's last digest of unanswered conversations. Only on the organization's
   * side.
   */
  readonly digestedAt?: string;
  /** When the next digest may be sent, if one is due. Only on the organization's side. */
  readonly dueAt?: string;
} & NotificationChoices;

/**
 * The member's own choices. Only on the organization's side. The role decides about missing ones.
 */
export type NotificationChoices = {
  readonly [Kind in NotificationKind as `notify_${Kind}`]?: NotificationWay;
};

/** The record of an API key. The key itself is not stored. */
export type ApiKey = {
  readonly apiKeyId: string;
  readonly organizationId: string;
  readonly name: string;
  readonly role: Role;
  readonly createdById: string;
  /** The creator's current role. It limits the key's role. */
  readonly creatorRole: Role;
  readonly keyHash: string;
  readonly prefix: string;
  readonly createdAt: string;
  readonly expiresAt?: string | null;
  readonly lastUsedAt?: string;
  /** Copied from the organization, as in memberships. */
  readonly isSuspended?: true;
  readonly suspensionVersion?: number;
};

export type Identity = {
  readonly session: Session | undefined;
  readonly membership: Membership | undefined;
  /** Set instead of a session. */
  readonly apiKey?: ApiKey;
  /** Set instead of a session. */
  readonly operatorKeyId?: string;
  /** All of the user's memberships, if the session's organization must be chosen from them. */
  readonly memberships?: readonly Membership[];
};

/** Loads the session and, if an organization is given, the membership in one round trip. */
export async function loadIdentity(
  { userId, sessionId }: AccessTokenClaims,
  organizationId: string | undefined,
): Promise<Identity> {
  const wanted: Key[] = [userKeys.session(userId, sessionId)];
  if (organizationId) {
    wanted.push(organizationKeys.member(organizationId, userId));
  }
  const [session, membership] = await getMany<Session | Membership>(wanted);

  return {
    session: session as Session | undefined,
    membership: membership as Membership | undefined,
  };
}

/**
 * Loads the session and all of the user's memberships in one round trip. The session determines the
 * current organization.
 */
export async function loadIdentityAnywhere({
  userId,
  sessionId,
}: AccessTokenClaims): Promise<Identity> {
  const [session, memberships] = await Promise.all([
    get<Session>(userKeys.session(userId, sessionId)),
    listMembershipsOf(userId),
  ]);

  return { session, membership: undefined, memberships };
}

/** Returns the user's membership of the organization, if any. */
export function findMembership(
  organizationId: string,
  userId: string,
): Promise<Membership | undefined> {
  return get<Membership>(organizationKeys.member(organizationId, userId));
}

export async function isSuspended(organizationId: string): Promise<boolean> {
  const organization = await get<{ readonly suspendedAt?: string }>(
    organizationKeys.organization(organizationId),
  );

  return organization?.suspendedAt !== undefined;
}

export async function isSwitchedOn(
  organizationId: string,
  setting: OrganizationSwitch,
): Promise<boolean> {
  const organization = await get<{ settings: Record<OrganizationSwitch, boolean> }>(
    organizationKeys.organization(organizationId),
  );

  return organization?.settings[setting] ?? false;
}

/** Returns all of a user's memberships, earliest joined first. */
export async function listMembershipsOf(userId: string): Promise<readonly Membership[]> {
  return byJoining(await query<Membership>(userRanges.memberships(userId)));
}

export function byJoining<M extends Membership>(memberships: readonly M[]): readonly M[] {
  return [...memberships].sort(
    (one, other) =>
      one.joinedAt.localeCompare(other.joinedAt) ||
      one.organizationId.localeCompare(other.organizationId),
  );
}
