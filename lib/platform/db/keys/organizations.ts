import { beginningWith, counterShard, type Key, tenant, wholePartition } from './key.ts';

const platform = 'PLATFORM';
const organizationCounts = `${platform}#ORGANIZATION_COUNTS`;

export const organizationKeys = {
  /** When old messages are removed next, if the organization wants it. */
  retention: (organizationId: string): Key => ({
    pk: tenant(organizationId),
    sk: 'RETENTION',
  }),
  organization: (organizationId: string): Key => ({ pk: tenant(organizationId), sk: 'ORG' }),
  /** The organization's side of a membership, read by every member request. */
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
  /** What an API key may do, read by every request that uses it. */
  apiKey: (keyHash: string): Key => ({ pk: `API_KEY#${keyHash}`, sk: 'KEY' }),
  /** Refers to an API key of the organization. */
  apiKeyEntry: (organizationId: string, apiKeyId: string): Key => ({
    pk: tenant(organizationId),
    sk: `API_KEY#${apiKeyId}`,
  }),
  auditEntry: (organizationId: string, entryId: string): Key => ({
    pk: tenant(organizationId),
    sk: `AUDIT#${entryId}`,
  }),
  counter: (organizationId: string, counter: string): Key => ({
    pk: tenant(organizationId),
    sk: `COUNT#${counter}`,
  }),
  /** An entry of the operator's list of all organizations. */
  listedOrganization: (organizationId: string): Key => ({
    pk: platform,
    sk: `ORGANIZATION#${organizationId}`,
  }),
  /** The same for suspended organizations alone. */
  suspendedOrganization: (organizationId: string): Key => ({
    pk: platform,
    sk: `SUSPENDED#${organizationId}`,
  }),
  organizationCounter: (shard: number): Key => ({
    pk: organizationCounts,
    sk: counterShard(shard),
  }),
  /** Signs a person in, once. */
  signInLink: (tokenHash: string): Key => ({ pk: `SIGN_IN_LINK#${tokenHash}`, sk: 'CLAIM' }),
  /** Makes an operator's own id of an organization unique. */
  externalId: (externalId: string): Key => ({ pk: `EXTERNAL_ID#${externalId}`, sk: 'CLAIM' }),
  /** Makes a name unique per kind within the organization. */
  /** A small named record, see `records()`. */
  record: (organizationId: string, kind: string, id: string): Key => ({
    pk: tenant(organizationId),
    sk: `${kind}#${id}`,
  }),
  nameClaim: (organizationId: string, kind: string, name: string): Key => ({
    pk: tenant(organizationId),
    sk: `UNIQUE#${kind}#${name}`,
  }),
};

export const organizationRanges = {
  records: (organizationId: string, kind: string) =>
    beginningWith(tenant(organizationId), `${kind}#`),
  members: (organizationId: string) => beginningWith(tenant(organizationId), 'MEMBER#'),
  invitations: (organizationId: string) => beginningWith(tenant(organizationId), 'INVITATION#'),
  apiKeyEntries: (organizationId: string) => beginningWith(tenant(organizationId), 'API_KEY#'),
  listedOrganizations: () => beginningWith(platform, 'ORGANIZATION#'),
  suspendedOrganizations: () => beginningWith(platform, 'SUSPENDED#'),
  organizationCounters: () => wholePartition(organizationCounts),
  auditEntries: (organizationId: string) => beginningWith(tenant(organizationId), 'AUDIT#'),
};

export function isMemberKey({ sk }: Key): boolean {
  return sk.startsWith('MEMBER#');
}
