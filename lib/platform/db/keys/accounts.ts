import { beginningWith, type Key, type KeyRange, person } from './key.ts';

export const accountKeys = {
  user: (userId: string): Key => ({ pk: person(userId), sk: 'PROFILE' }),
  emailClaim: (email: string): Key => ({ pk: `EMAIL#${email}`, sk: 'CLAIM' }),
  /** The address that the user's n-th change replaced, while a mailed link can restore it. */
  formerEmail: (userId: string, changesBefore: number): Key => ({
    pk: person(userId),
    sk: `FORMER_EMAIL#${changesBefore}`,
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

export const accountRanges = {
  sessions: (userId: string) => beginningWith(person(userId), 'SESSION#'),
  consents: (userId: string) => beginningWith(person(userId), 'CONSENT#'),
  memberships: (userId: string) => beginningWith(person(userId), 'MEMBERSHIP#'),
  /** Memberships and profile have adjacent keys, so one query reads both. */
  membershipsAndProfile: (userId: string): KeyRange => ({
    pk: person(userId),
    from: 'MEMBERSHIP#',
    to: 'PROFILE',
  }),
};
