import { epochSeconds } from '#lib/platform/clock.ts';
import { either, equals } from '#lib/platform/db/conditions.ts';
import { type Key, keys } from '#lib/platform/db/keys.ts';
import { get, getMany } from '#lib/platform/db/read.ts';
import { isGone } from '#lib/platform/db/time-to-live.ts';
import { change, create, ensure, remove, type Write } from '#lib/platform/db/write.ts';
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
  /** Absent if the password has not changed since signup. */
  readonly passwordSetAt?: string;
  readonly emailVerified: boolean;
  /** How often the address was changed, less the changes that were reverted. */
  readonly emailChanges?: number;
  /** When the address was last reverted. Verification links from before are void. */
  readonly emailRevertedAt?: string;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly lastActiveAt: string;
};

/** @throws Error if the user does not exist, which is a bug: a session cannot outlive its user. */
export async function requireUser(userId: string): Promise<User & Key> {
  const user = await get<User>(keys.user(userId));
  if (!user) {
    throw new Error('A session names a user that does not exist');
  }

  return user;
}

/** Belongs to a user, or is reserved for the user who had the address before. */
type EmailClaim = { readonly userId?: string; readonly reservedFor?: string };

/** Returns the id of the user with this address. A reserved address belongs to nobody. */
export async function findUserIdByEmail(email: string): Promise<string | undefined> {
  return (await get<EmailClaim>(keys.emailClaim(email)))?.userId;
}

/** True if nobody else can take the address: it belongs to a user or is reserved for one. */
export async function isEmailTaken(email: string): Promise<boolean> {
  return (await get<EmailClaim>(keys.emailClaim(email))) !== undefined;
}

/** Returns the users with these ids, in the same order. Skips missing users. */
export async function listUsers(userIds: readonly string[]): Promise<readonly User[]> {
  const users = await getMany<User>(userIds.map((userId) => keys.user(userId)));

  return users.filter((user) => user !== undefined);
}

function emailTaken() {
  return conflict('User with this email already exists');
}

/** Ensures that an address belongs to one user. The claim is also the lookup by address. */
export function planEmailClaim(email: string, userId: string): Write {
  return create(keys.emailClaim(email), { userId }, emailTaken);
}

/** Claims an address for a user who may have had it before, while it is reserved for them. */
export function planEmailReclaim(email: string, userId: string): Write {
  return change(keys.emailClaim(email), {
    set: { userId, reservedFor: null, expiresAtSeconds: null },
    when: either(isGone(), equals('reservedFor', userId)),
    orCreate: true,
    refused: emailTaken,
  });
}

/** Keeps an address that a user gave up, so that only they can take it back. */
export function planEmailReservation(email: string, userId: string, seconds: number): Write {
  return change(keys.emailClaim(email), {
    set: { userId: null, reservedFor: userId, expiresAtSeconds: epochSeconds(seconds) },
    when: equals('userId', userId),
  });
}

export function planEmailRelease(email: string, userId: string): Write {
  return remove(keys.emailClaim(email), { when: equals('userId', userId) });
}

/** Requires that the user's password is unchanged since it was read. */
export function planPasswordUnchanged({ userId, passwordHash }: User, refused: () => Error): Write {
  return ensure(keys.user(userId), { when: equals('passwordHash', passwordHash), refused });
}

/** Returns the user as the API presents them, without the password hash. */
export function presentUser(user: User) {
  const { userId, passwordHash: _, ...shown } = user;

  return { ...shown, id: userId, avatar: null };
}

export function fullName({ firstName, lastName }: User): string {
  return `${firstName} ${lastName}`;
}
