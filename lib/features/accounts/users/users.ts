import { epochSeconds } from '#lib/platform/clock.ts';
import { allOf, either, equals, unchanged } from '#lib/platform/db/conditions.ts';
import { type Key, keys } from '#lib/platform/db/keys.ts';
import { get, getMany } from '#lib/platform/db/read.ts';
import { isGone } from '#lib/platform/db/time-to-live.ts';
import { change, create, ensure, remove, type Write } from '#lib/platform/db/write.ts';
import { conflict, sessionInvalid } from '#lib/platform/errors/failures.ts';

export type User = {
  readonly userId: string;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly nickname?: string;
  readonly timezone: string;
  /** LOCAL users have a password. GOOGLE ones signed up with Google and have set none. */
  readonly authProvider: 'LOCAL' | 'GOOGLE';
  readonly passwordHash?: string;
  /** Google's id of the linked account, and when it was linked. */
  readonly googleSubject?: string;
  readonly googleLinkedAt?: string;
  readonly twoFactorEnabled?: true;
  /** Absent if the password has not changed since signup. */
  readonly passwordSetAt?: string;
  readonly emailVerified: boolean;
  /** How often the address was changed, less the changes that were reverted. */
  readonly emailChanges?: number;
  /** When the address was last reverted. Verification links from before are void. */
  readonly emailRevertedAt?: string;
  /** Incremented by what makes the user an owner, so that a concurrent deletion of the account sees it. */
  readonly ownerVersion?: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly lastActiveAt: string;
};

/** @throws 401 if the account was deleted: its sessions end a moment later. */
export async function requireUser(userId: string): Promise<User & Key> {
  const user = await get<User>(keys.user(userId));
  if (!user) {
    throw sessionInvalid();
  }

  return user;
}

/** Belongs to a user, or is reserved for the user who had the address before. */
export type EmailClaim = { readonly userId?: string; readonly reservedFor?: string };

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

export function emailTaken() {
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

/** Requires that the user signs in the same way as when the user was read. */
export function planCredentialsUnchanged(
  { userId, passwordHash, googleSubject, twoFactorEnabled }: User,
  refused: () => Error,
): Write {
  return ensure(keys.user(userId), {
    when: allOf(
      unchanged('passwordHash', passwordHash),
      unchanged('googleSubject', googleSubject),
      unchanged('twoFactorEnabled', twoFactorEnabled),
    ),
    refused,
  });
}

/** Counts a new ownership of an existing user. */
export function planNewOwner(userId: string, refused: () => Error): Write {
  return change(keys.user(userId), { add: { ownerVersion: 1 }, refused });
}

/** Returns the user as the API presents them, without the password hash. */
export function presentUser(user: User) {
  const { userId, passwordHash: _, ...shown } = user;

  return { ...shown, id: userId, avatar: null, twoFactorEnabled: user.twoFactorEnabled ?? false };
}

/** Google accounts may have no last name. */
export function fullName({ firstName, lastName }: Pick<User, 'firstName' | 'lastName'>): string {
  return `${firstName} ${lastName}`.trim();
}
