import type { Key } from '#lib/platform/db/keys/key.ts';
import { keys, ranges } from '#lib/platform/db/keys.ts';
import { get, getMany, query } from '#lib/platform/db/read.ts';
import type { OrganizationSwitch, Role } from '#schemas/contract.ts';
import type { AccessTokenClaims } from './access-token.ts';

/** A signed-in device. The item is the session: when it is gone, its token is refused. */
export type Session = {
  readonly sessionId: string;
  readonly userId: string;
  readonly currentOrganizationId?: string;
  readonly createdAt: string;
  readonly lastActiveAt: string;
  readonly ipAddress: string;
  readonly userAgent: string;
  readonly expiresAtSeconds: number;
};

/** A user's place in an organization, as the organization keeps it. */
export type Membership = {
  readonly organizationId: string;
  readonly userId: string;
  readonly role: Role;
  readonly joinedAt: string;
};

export type Identity = {
  readonly session: Session | undefined;
  readonly membership: Membership | undefined;
  /** All of the user's, where the session alone says which one counts. */
  readonly memberships?: readonly Membership[];
};

/** The session and, where an organization is asked for, the membership, in one round trip. */
export async function loadIdentity(
  { userId, sessionId }: AccessTokenClaims,
  organizationId: string | undefined,
): Promise<Identity> {
  const wanted: Key[] = [keys.session(userId, sessionId)];
  if (organizationId) {
    wanted.push(keys.member(organizationId, userId));
  }
  const [session, membership] = await getMany<Session | Membership>(wanted);

  return {
    session: session as Session | undefined,
    membership: membership as Membership | undefined,
  };
}

/**
 * The session beside all of the user's memberships, in one round trip too: which organization is the
 * current one, the session says.
 */
export async function loadIdentityAnywhere({
  userId,
  sessionId,
}: AccessTokenClaims): Promise<Identity> {
  const [session, memberships] = await Promise.all([
    get<Session>(keys.session(userId, sessionId)),
    listMembershipsOf(userId),
  ]);

  return { session, membership: undefined, memberships };
}

/** The user's membership of the organization, if there is one. */
export function findMembership(
  organizationId: string,
  userId: string,
): Promise<Membership | undefined> {
  return get<Membership>(keys.member(organizationId, userId));
}

/** Whether a setting of the organization is on. */
export async function isSwitchedOn(
  organizationId: string,
  setting: OrganizationSwitch,
): Promise<boolean> {
  const organization = await get<{ settings: Record<OrganizationSwitch, boolean> }>(
    keys.organization(organizationId),
  );

  return organization?.settings[setting] ?? false;
}

/** All of a user's memberships, the one joined first at the head. */
export async function listMembershipsOf(userId: string): Promise<readonly Membership[]> {
  return byJoining(await query<Membership>(ranges.memberships(userId)));
}

export function byJoining<M extends Membership>(memberships: readonly M[]): readonly M[] {
  return [...memberships].sort(
    (one, other) =>
      one.joinedAt.localeCompare(other.joinedAt) ||
      one.organizationId.localeCompare(other.organizationId),
  );
}
