import { listUsers, type User } from '#lib/features/users/users.ts';
import { organizationRanges } from '#lib/platform/db/keys/organizations.ts';
import { query } from '#lib/platform/db/read.ts';
import type { Membership } from '#lib/platform/identity/identity.ts';
import { type Role, ranksAtLeast } from '#schemas/contract.ts';
import type { NotificationKind, NotificationWay } from '#schemas/organizations.ts';

export type Actor = { readonly userId: string; readonly role: Role };

/** Limits the number of people who are notified, to leave room in the transaction. */
const maxAddresses = 20;

/** Returns how the member is notified: their own choice, otherwise the default of their role. */
export function wayOf(member: Membership, kind: NotificationKind): NotificationWay {
  const { role, [`notify_${kind}` as const]: chosen } = member;

  return chosen ?? (isDefault(role, kind) ? 'MAIL' : 'OFF');
}

function isDefault(role: Membership['role'], kind: NotificationKind): boolean {
  return role === 'OWNER' || role === 'ADMIN' || (role === 'MEMBER' && kind === 'assigned');
}

export async function listOwnerAddresses(organizationId: string): Promise<readonly string[]> {
  const memberships = await query<Membership>(organizationRanges.members(organizationId));

  return addressesOf(memberships.filter(({ role }) => role === 'OWNER'));
}

/** Returns the addresses of the members who want this kind of mail. */
export async function listNotifiedAddresses(
  organizationId: string,
  kind: NotificationKind,
): Promise<readonly string[]> {
  const memberships = await query<Membership>(organizationRanges.members(organizationId));
  const notified = memberships.filter((member) => wayOf(member, kind) === 'MAIL');

  return addressesOf(notified);
}

/**
 * Returns the members to notify about something that concerns one member, or all members if nobody
 * is responsible. The responsible member is notified unless they turned it off. Nobody is notified
 * while the organization is suspended.
 */
export function responsibleMembers(
  members: readonly Membership[],
  kind: NotificationKind,
  responsibleId: string | undefined,
): readonly Membership[] {
  if (members.some(({ isSuspended }) => isSuspended)) {
    return [];
  }
  const responsible = members.find(
    ({ userId, role }) => userId === responsibleId && ranksAtLeast(role, 'MEMBER'),
  );
  if (!responsible) {
    return members.filter((member) => wayOf(member, kind) === 'MAIL');
  }

  return responsible[`notify_${kind}`] === 'OFF' ? [] : [responsible];
}

/** Returns the users to notify, see `responsibleMembers`. */
export async function listResponsibleUsers(
  organizationId: string,
  kind: NotificationKind,
  responsibleId: string | undefined,
): Promise<readonly User[]> {
  const memberships = await query<Membership>(organizationRanges.members(organizationId));

  return usersOf(responsibleMembers(memberships, kind, responsibleId));
}

/** Returns the member's address, or undefined if they don't want this kind of mail. */
export async function findNotifiedAddress(
  member: Membership,
  kind: NotificationKind,
): Promise<string | undefined> {
  const [address] = wayOf(member, kind) === 'MAIL' ? await addressesOf([member]) : [];

  return address;
}

async function addressesOf(members: readonly Membership[]): Promise<readonly string[]> {
  const users = await usersOf(members);

  return users.map(({ email }) => email);
}

function usersOf(members: readonly Membership[]): Promise<readonly User[]> {
  return listUsers(members.slice(0, maxAddresses).map(({ userId }) => userId));
}
