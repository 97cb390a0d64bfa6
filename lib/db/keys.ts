/** The primary key of an item. Key strings are built in this file and nowhere else. */
export type Key = { readonly pk: string; readonly sk: string };

/** The partition of one tenant. No key of a tenant can be built without its id. */
const tenant = (organizationId: string) => `ORG#${organizationId}`;
const person = (userId: string) => `USER#${userId}`;

export const keys = {
  user: (userId: string): Key => ({ pk: person(userId), sk: 'PROFILE' }),
  emailClaim: (email: string): Key => ({ pk: `EMAIL#${email}`, sk: 'CLAIM' }),
  session: (userId: string, sessionId: string): Key => ({
    pk: person(userId),
    sk: `SESSION#${sessionId}`,
  }),
  consent: (userId: string, consentId: string): Key => ({
    pk: person(userId),
    sk: `CONSENT#${consentId}`,
  }),
  /** The user's side of a membership: what the list of a user's organizations reads. */
  userMembership: (userId: string, organizationId: string): Key => ({
    pk: person(userId),
    sk: `MEMBERSHIP#${organizationId}`,
  }),
  userToken: (tokenHash: string): Key => ({ pk: `USER_TOKEN#${tokenHash}`, sk: 'CLAIM' }),

  organization: (organizationId: string): Key => ({ pk: tenant(organizationId), sk: 'ORG' }),
  billing: (organizationId: string): Key => ({ pk: tenant(organizationId), sk: 'BILLING' }),
  customerClaim: (customerId: string): Key => ({ pk: `CUSTOMER#${customerId}`, sk: 'CLAIM' }),
  /** The organization's side of a membership: what every request of a member reads. */
  member: (organizationId: string, userId: string): Key => ({
    pk: tenant(organizationId),
    sk: `MEMBER#${userId}`,
  }),
  invitation: (organizationId: string, invitationId: string): Key => ({
    pk: tenant(organizationId),
    sk: `INVITATION#${invitationId}`,
  }),
  pendingInvitation: (organizationId: string, email: string): Key => ({
    pk: tenant(organizationId),
    sk: `UNIQUE#INVITATION#${email}`,
  }),
  invitationToken: (tokenHash: string): Key => ({
    pk: `INVITATION_TOKEN#${tokenHash}`,
    sk: 'CLAIM',
  }),
  auditEntry: (organizationId: string, entryId: string): Key => ({
    pk: tenant(organizationId),
    sk: `AUDIT#${entryId}`,
  }),
  counter: (organizationId: string, counter: string): Key => ({
    pk: tenant(organizationId),
    sk: `COUNT#${counter}`,
  }),

  signupAttempt: (attemptId: string): Key => ({ pk: `SIGNUP#${attemptId}`, sk: 'ATTEMPT' }),
  idempotency: (fingerprint: string): Key => ({ pk: `IDEMPOTENCY#${fingerprint}`, sk: 'RECORD' }),
  rateWindow: (policy: string, subject: string, window: number): Key => ({
    pk: `RATE#${policy}#${subject}`,
    sk: `WINDOW#${window}`,
  }),
  /** Work that a change of state called for, in the partition of whom it is about. */
  outbox: (owner: Key, kind: string, workId: string): Key => ({
    pk: owner.pk,
    sk: `${outboxPrefix}${kind}#${workId}`,
  }),
};

const outboxPrefix = 'OUTBOX#';

/** The kind of work that an outbox item's sort key names. */
export function outboxKind(sk: string): string | undefined {
  return sk.startsWith(outboxPrefix) ? sk.split('#')[1] : undefined;
}

/** A range of sort keys within one partition. */
export type KeyRange = { readonly pk: string; readonly from: string; readonly to: string };

/** Sorts after every character that occurs in a key. */
const last = '\uffff';

function beginningWith(pk: string, prefix: string): KeyRange {
  return { pk, from: prefix, to: `${prefix}${last}` };
}

/** Whether a key is the organization's side of a membership. */
export function isMemberKey({ sk }: Key): boolean {
  return sk.startsWith('MEMBER#');
}

export const ranges = {
  sessions: (userId: string) => beginningWith(person(userId), 'SESSION#'),
  consents: (userId: string) => beginningWith(person(userId), 'CONSENT#'),
  memberships: (userId: string) => beginningWith(person(userId), 'MEMBERSHIP#'),
  /** The memberships and the profile lie side by side: one query reads both. */
  membershipsAndProfile: (userId: string): KeyRange => ({
    pk: person(userId),
    from: 'MEMBERSHIP#',
    to: 'PROFILE',
  }),
  members: (organizationId: string) => beginningWith(tenant(organizationId), 'MEMBER#'),
  invitations: (organizationId: string) => beginningWith(tenant(organizationId), 'INVITATION#'),
  auditEntries: (organizationId: string) => beginningWith(tenant(organizationId), 'AUDIT#'),
  everythingOf: (organizationId: string): KeyRange => ({
    pk: tenant(organizationId),
    from: ' ',
    to: last,
  }),
};

export const dueShards = 4;

/** A partition of the due-work index. */
export function dueShard(shard: number): string {
  return `DUE#${shard}`;
}
