import type { Key } from '#lib/platform/db/keys/key.ts';
import { liveKeys, liveRanges } from '#lib/platform/db/keys/live.ts';
import { organizationKeys } from '#lib/platform/db/keys/organizations.ts';
import { userKeys } from '#lib/platform/db/keys/users.ts';
import { getMany, query } from '#lib/platform/db/read.ts';
import { removeMany } from '#lib/platform/db/remove-many.ts';
import { isExpired, membershipOfKey } from '#lib/platform/identity/api-key.ts';
import type { ApiKey, Membership, Session } from '#lib/platform/identity/identity.ts';
import type { Role } from '#schemas/contract.ts';

/**
 * The owner of a connection. The connection ends together with the session or API key that
 * requested it.
 */
export type LiveHolder = {
  readonly organizationId: string;
  /** The signed-in user, or the creator of the API key. */
  readonly userId: string;
  /** Absent for API keys. */
  readonly sessionId?: string | undefined;
  /** Absent for people. */
  readonly keyHash?: string | undefined;
  /** When the ticket was issued. */
  readonly grantedAt: string;
};

/** An open WebSocket connection. */
export type LiveConnection = LiveHolder & {
  readonly connectionId: string;
  readonly connectedAt: string;
};

export function listLiveConnections(organizationId: string): Promise<readonly LiveConnection[]> {
  return query<LiveConnection>(liveRanges.liveConnections(organizationId));
}

/** Returns the current role of each holder. `undefined` if the holder's access has ended. */
export async function currentRoles(
  holders: readonly LiveHolder[],
): Promise<ReadonlyArray<Role | undefined>> {
  const found = await getMany<Membership | Session | ApiKey>(holders.flatMap(accessKeys));

  return holders.map((holder, index) => {
    const [membership, access] = found.slice(2 * index);
    if (!access) {
      return undefined;
    }
    if (holder.keyHash) {
      return roleOfKey(access as ApiKey, membership as Membership | undefined);
    }

    return membership && roleOfMember(membership as Membership, access as Session, holder);
  });
}

/** A key is revoked together with its creator's membership, but not in the same transaction. */
function accessKeys({
  organizationId,
  userId,
  sessionId = '',
  keyHash,
}: LiveHolder): readonly [Key, Key] {
  return [
    organizationKeys.member(organizationId, userId),
    keyHash ? organizationKeys.apiKey(keyHash) : userKeys.session(userId, sessionId),
  ];
}

function roleOfMember(
  { role, isSuspended }: Membership,
  { passwordChangedAt = '' }: Session,
  { grantedAt }: LiveHolder,
): Role | undefined {
  return grantedAt > passwordChangedAt && !isSuspended ? role : undefined;
}

function roleOfKey(apiKey: ApiKey, creator: Membership | undefined): Role | undefined {
  const isGone = !creator && apiKey.createdById !== apiKey.apiKeyId;

  return isGone || apiKey.isSuspended || isExpired(apiKey)
    ? undefined
    : membershipOfKey(apiKey).role;
}

export function forgetLiveConnections(
  connections: ReadonlyArray<Pick<LiveConnection, 'organizationId' | 'connectionId'>>,
): Promise<void> {
  return removeMany(
    connections.flatMap(({ organizationId, connectionId }) => [
      liveKeys.liveConnection(organizationId, connectionId),
      liveKeys.liveConnectionClaim(connectionId),
    ]),
  );
}
