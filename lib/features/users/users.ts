import {
  allOf,
  type Condition,
  either,
  equals,
  isGone,
  unchanged,
} from '#lib/platform/db/conditions.ts';
import type { Key } from '#lib/platform/db/keys/key.ts';
import { userKeys } from '#lib/platform/db/keys/users.ts';
import { get, getMany } from '#lib/platform/db/read.ts';
import { change, create, ensure, remove, type Write } from '#lib/platform/db/write.ts';
import { apiError, sessionInvalid } from '#lib/platform/errors/failures.ts';

/**
 * Changes of a user's address within seven days. A thief with a stolen session can make such
 * changes and verify the new addresses. So only the last address that was verified before them can
 * revert them.
 */
export type EmailChain = {
  /** The address before the first change. */
  readonly start: string;
  /** The only address whose links are valid. It is reserved for the user while it is not in use. */
  readonly revertible?: string | undefined;
  readonly endsAtSeconds: number;
};

export type User = {
  readonly userId: string;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly nickname?: string;
  readonly timezone: string;
  /**
   * GOOGLE users signed up with Google and have set no password. LOCAL users have a password, or
   * were created by an operator's sign-in link and have none yet.
   */
  readonly authProvider: 'LOCAL' | 'GOOGLE';
  readonly passwordHash?: string;
  /** Google's id of the linked account. */
  readonly googleSubject?: string;
  /** Browsers that signed in before this time are no longer known. */
  readonly devicesKnownSince?: string;
  readonly twoFactorEnabled?: true;
  /** Absent if the password is the first one. */
  readonly passwordSetAt?: string;
  readonly emailVerified: boolean;
  /** How often the address was changed. */
  readonly emailChanges?: number;
  /** The latest changes of the address, also after they can no longer be reverted. */
  readonly emailChain?: EmailChain;
  /** When the address was last reverted. Older verification links are invalid. */
  readonly emailRevertedAt?: string;
  /**
   * Incremented when the user becomes an owner somewhere, so that a concurrent deletion of the
   * account sees it.
   */
  readonly ownerVersion?: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly lastActiveAt: string;
};

/** @throws 401 if the account was deleted, because its sessions end a moment later. */
export async function requireUser(userId: string): Promise<User & Key> {
  const user = await get<User>(userKeys.user(userId));
  if (!user) {
    throw sessionInvalid();
  }

  return user;
}

/** An address that belongs to a user, or is reserved for the user who had it before. */
export type EmailClaim = { readonly userId?: string; readonly reservedFor?: string };

export function findEmailClaim(email: string): Promise<EmailClaim | undefined> {
  return get<EmailClaim>(userKeys.emailClaim(email));
}

/** Returns the id of the user with this address. A reserved address belongs to nobody. */
export async function findUserIdByEmail(email: string): Promise<string | undefined> {
  return (await findEmailClaim(email))?.userId;
}

/** Returns the users with these ids, in the same order. Skips missing users. */
export async function listUsers(userIds: readonly string[]): Promise<readonly User[]> {
  const users = await getMany<User>(userIds.map((userId) => userKeys.user(userId)));

  return users.filter((user) => user !== undefined);
}

export function emailTaken() {
  return apiError('EMAIL_TAKEN', 'User with this email already exists');
}

/** Ensures that an address belongs to only one user. The claim also finds the user by address. */
export function planEmailClaim(
  email: string,
  userId: string,
  onConditionFailed: () => Error = emailTaken,
): Write {
  return create(userKeys.emailClaim(email), { userId }, onConditionFailed);
}

/** Claims an address that is free, or reserved for this user or a former one. */
export function planEmailReclaim(
  email: string,
  userId: string,
  reservedFor = userId,
  onConditionFailed: () => Error = emailTaken,
): Write {
  return change(userKeys.emailClaim(email), {
    set: { userId, reservedFor: null, expiresAtSeconds: null },
    when: either(isGone(), equals('reservedFor', reservedFor)),
    orCreate: true,
    onConditionFailed,
  });
}

/**
 * Claims an address that is reserved for a former user, for a new user who can read its mail. The
 * former user's links can no longer restore it.
 */
export function planEmailTakeover(
  email: string,
  userId: string,
  reservedFor: string,
  onConditionFailed: () => Error = emailTaken,
): readonly Write[] {
  return [
    planEmailReclaim(email, userId, reservedFor, onConditionFailed),
    change(userKeys.user(reservedFor), {
      set: { emailChain: null },
      when: equals('emailChain.revertible', email),
      onConditionFailed,
    }),
  ];
}

/** Reserves an address that a user gave up, so that only this user can take it back. */
export function planEmailReservation(email: string, userId: string, until: number): Write {
  return change(userKeys.emailClaim(email), {
    set: { userId: null, reservedFor: userId, expiresAtSeconds: until },
    when: equals('userId', userId),
  });
}

export function planReservationEnd(email: string, userId: string): Write {
  return remove(userKeys.emailClaim(email), { when: equals('reservedFor', userId) });
}

export function planEmailRelease(email: string, userId: string): Write {
  return remove(userKeys.emailClaim(email), { when: equals('userId', userId) });
}

/** Requires that the user's credentials have not changed since the user was read. */
export function planCredentialsUnchanged(user: User, onConditionFailed: () => Error): Write {
  return ensure(userKeys.user(user.userId), { when: signsInAsRead(user), onConditionFailed });
}

function signsInAsRead({ passwordHash, googleSubject, twoFactorEnabled }: User): Condition {
  return allOf(
    unchanged('passwordHash', passwordHash),
    unchanged('googleSubject', googleSubject),
    unchanged('twoFactorEnabled', twoFactorEnabled),
  );
}

/**
 * Counts a new ownership of an existing user.
 *
 * @param asRead requires that this user's credentials have not changed since they were read.
 */
export function planNewOwner(userId: string, onConditionFailed: () => Error, asRead?: User): Write {
  return change(userKeys.user(userId), {
    add: { ownerVersion: 1 },
    ...(asRead ? { when: signsInAsRead(asRead) } : {}),
    onConditionFailed,
  });
}

/** Returns the user in the API's format, without the password hash. */
export function presentUser(user: User) {
  const { userId, passwordHash: _, ...shown } = user;

  return { ...shown, id: userId, avatar: null, twoFactorEnabled: user.twoFactorEnabled ?? false };
}

/** Google accounts may have no last name. */
export function fullName({ firstName, lastName }: Pick<User, 'firstName' | 'lastName'>): string {
  return `${firstName} ${lastName}`.trim();
}
