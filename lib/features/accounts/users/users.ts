import { equals } from '#lib/platform/db/conditions.ts';
import type { Key } from '#lib/platform/db/keys/key.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { get, getMany } from '#lib/platform/db/read.ts';
import { create, ensure, remove, type Write } from '#lib/platform/db/write.ts';
import { conflict } from '#lib/platform/errors/failures.ts';

export type User = {
  readonly userId: string;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly nickname?: string;
  readonly timezone: string;
  readonly authProvider: 'LOCAL';
  readonly passwordHash: string;
  /** Absent: the password is the one of the signup. */
  readonly passwordSetAt?: string;
  readonly emailVerified: boolean;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly lastActiveAt: string;
};

/** @throws Error where the user does not exist: a session cannot outlive its user. */
export async function requireUser(userId: string): Promise<User & Key> {
  const user = await get<User>(keys.user(userId));
  if (!user) {
    throw new Error('A session names a user that does not exist');
  }

  return user;
}

/** The id of the user who has this address, compared trimmed and lower-cased. */
export async function findUserIdByEmail(email: string): Promise<string | undefined> {
  const claim = await get<{ userId: string }>(keys.emailClaim(email));

  return claim?.userId;
}

/** The users of these ids, in their order; who does not exist is left out. */
export async function listUsers(userIds: readonly string[]): Promise<readonly User[]> {
  const users = await getMany<User>(userIds.map((userId) => keys.user(userId)));

  return users.filter((user) => user !== undefined);
}

/** One address belongs to one user: the claim is the constraint, and the look-up. */
export function claimEmail(email: string, userId: string): Write {
  return create(keys.emailClaim(email), { userId }, () =>
    conflict('User with this email already exists'),
  );
}

export function releaseEmail(email: string, userId: string): Write {
  return remove(keys.emailClaim(email), { when: equals('userId', userId) });
}

/** Holds while the user's password is the one that was read. */
export function passwordStands({ userId, passwordHash }: User, refused: () => Error): Write {
  return ensure(keys.user(userId), { when: equals('passwordHash', passwordHash), refused });
}

/** How a user is shown. */
export function presentUser(user: User) {
  const { userId, passwordHash: _, ...shown } = user;

  return { ...shown, id: userId, avatar: null };
}

export function fullName({ firstName, lastName }: User): string {
  return `${firstName} ${lastName}`;
}
