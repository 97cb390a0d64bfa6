import { beginningWith, between, type Key, key, person, wholePartition } from './key.ts';

export const userKeys = {
  user: (userId: string) => key(person(userId), 'PROFILE'),
  emailClaim: (email: string) => key(`EMAIL#${email}`, 'CLAIM'),
  /** Links a Google account to a user. */
  googleSubject: (subject: string) => key(`GOOGLE#${subject}`, 'CLAIM'),
  /** The user's TOTP secret. */
  twoFactor: (userId: string) => key(person(userId), 'TWO_FACTOR'),
  recoveryCode: (userId: string, codeHash: string) =>
    key(person(userId), `RECOVERY_CODE#${codeHash}`),
  session: (userId: string, sessionId: string) => key(person(userId), `SESSION#${sessionId}`),
  consent: (userId: string, consentId: string) => key(person(userId), `CONSENT#${consentId}`),
  /** The user's side of a membership, read to list a user's organizations. */
  userMembership: (userId: string, organizationId: string) =>
    key(person(userId), `MEMBERSHIP#${organizationId}`),
  /** Counts the organizations that a user created and that still exist. */
  foundedOrganizations: (userId: string) => key(person(userId), 'FOUNDED'),
  userToken: (tokenHash: string) => key(`USER_TOKEN#${tokenHash}`, 'CLAIM'),
  signupAttempt: (attemptId: string) => key(`SIGNUP#${attemptId}`, 'ATTEMPT'),
};

export function isTwoFactorKey({ pk, sk }: Key): boolean {
  return pk.startsWith(person('')) && sk === 'TWO_FACTOR';
}

export const userRanges = {
  sessions: (userId: string) => beginningWith(person(userId), 'SESSION#'),
  consents: (userId: string) => beginningWith(person(userId), 'CONSENT#'),
  recoveryCodes: (userId: string) => beginningWith(person(userId), 'RECOVERY_CODE#'),
  everythingOfUser: (userId: string) => wholePartition(person(userId)),
  memberships: (userId: string) => beginningWith(person(userId), 'MEMBERSHIP#'),
  /** Memberships and profile have adjacent keys, so one query reads both. */
  membershipsAndProfile: (userId: string) => between(person(userId), 'MEMBERSHIP#', 'PROFILE'),
};
