import { beginningWith, type Key, type KeyRange, person, wholePartition } from './key.ts';

export const userKeys = {
  user: (userId: string): Key => ({ pk: person(userId), sk: 'PROFILE' }),
  emailClaim: (email: string): Key => ({ pk: `EMAIL#${email}`, sk: 'CLAIM' }),
  /** Links a Google account to a user. */
  googleSubject: (subject: string): Key => ({ pk: `GOOGLE#${subject}`, sk: 'CLAIM' }),
  /** The user's TOTP secret. */
  twoFactor: (userId: string): Key => ({ pk: person(userId), sk: 'TWO_FACTOR' }),
  recoveryCode: (userId: string, codeHash: string): Key => ({
    pk: person(userId),
    sk: `RECOVERY_CODE#${codeHash}`,
  }),
  session: (userId: string, sessionId: string): Key => ({
    pk: person(userId),
    sk: `SESSION#${sessionId}`,
  }),
  consent: (userId: string, consentId: string): Key => ({
    pk: person(userId),
    sk: `CONSENT#${consentId}`,
  }),
  /** The user's side of a membership, read to list a user's organizations. */
  userMembership: (userId: string, organizationId: string): Key => ({
    pk: person(userId),
    sk: `MEMBERSHIP#${organizationId}`,
  }),
  /** Counts the organizations that a user created and that still exist. */
  foundedOrganizations: (userId: string): Key => ({ pk: person(userId), sk: 'FOUNDED' }),
  userToken: (tokenHash: string): Key => ({ pk: `USER_TOKEN#${tokenHash}`, sk: 'CLAIM' }),
  signupAttempt: (attemptId: string): Key => ({ pk: `SIGNUP#${attemptId}`, sk: 'ATTEMPT' }),
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
  membershipsAndProfile: (userId: string): KeyRange => ({
    pk: person(userId),
    from: 'MEMBERSHIP#',
    to: 'PROFILE',
  }),
};
