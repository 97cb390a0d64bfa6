import { timestamp } from '#lib/platform/clock.ts';
import { changesSomething } from '#lib/platform/db/changes-something.ts';
import { organizationKeys } from '#lib/platform/db/keys/organizations.ts';
import { dueIn } from '#lib/platform/db/lists/shards.ts';
import { change, write } from '#lib/platform/db/write.ts';
import { notFound, requireFound } from '#lib/platform/errors/failures.ts';
import { findMembership, type Membership } from '#lib/platform/identity/identity.ts';
import type { BodyOf } from '#schemas/contract.ts';
import {
  type NotificationKind,
  type NotificationWay,
  notificationKinds,
  type updateNotificationSettings as updateContract,
} from '#schemas/organizations.ts';
import { wayOf } from './members.ts';

type Settings = Readonly<Record<NotificationKind, NotificationWay>>;

/** A member who turns on digests gets one about the conversations that are still unanswered. */
export function dueDigest(before: Membership, changes: Partial<Membership>) {
  const isDue =
    wayOf(before, 'unanswered') === 'OFF' &&
    wayOf({ ...before, ...changes }, 'unanswered') === 'MAIL';

  return isDue ? dueIn('UNANSWERED', timestamp(), before.userId) : {};
}

function settingsOf(member: Membership): Settings {
  const ways = notificationKinds.map((kind) => [kind, wayOf(member, kind)] as const);

  return Object.fromEntries(ways) as Settings;
}

/** @throws 404 if the user is no longer a member. */
async function requireMembership(organizationId: string, userId: string): Promise<Membership> {
  return requireFound(await findMembership(organizationId, userId), 'Organization');
}

export async function getNotificationSettings(
  organizationId: string,
  userId: string,
): Promise<Settings> {
  return settingsOf(await requireMembership(organizationId, userId));
}

/**
 * Changes the given settings. Concurrent changes of different settings are all applied.
 *
 * @throws 404
 */
export async function updateNotificationSettings(
  organizationId: string,
  userId: string,
  wanted: BodyOf<typeof updateContract>,
): Promise<Settings> {
  const before = await requireMembership(organizationId, userId);
  const set = Object.fromEntries(
    Object.entries(wanted).map(([kind, way]) => [`notify_${kind}`, way]),
  );
  if (!changesSomething(before, set)) {
    return settingsOf(before);
  }
  const after = await write(
    change(organizationKeys.member(organizationId, userId), {
      set: { ...set, ...dueDigest(before, set) },
      onConditionFailed: () => notFound('Organization'),
    }),
  );

  return settingsOf(after as unknown as Membership);
}
