import { beginningWith, counterShard, type Key, tenant, wholePartition } from './key.ts';

const platform = 'PLATFORM';
const organizationCounts = `${platform}#ORGANIZATION_COUNTS`;

export const organizationKeys = {
  /** The next time when old messages are removed, if the organization has enabled it. */
  retention: (organizationId: string): Key => ({
    pk: tenant(organizationId),
    sk: 'RETENTION',
  }),
  organization: (organizationId: string): Key => ({ pk: tenant(organizationId), sk: 'ORG' }),
  /** The organization's side of a membership. Every request of a member reads it. */
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
  /** The permissions of an API key. Every request with the key reads them. */
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
  /** An organization in the operator's list of suspended ones. */
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
  /** A link that signs a person in once. */
  signInLink: (tokenHash: string): Key => ({ pk: `SIGN_IN_LINK#${tokenHash}`, sk: 'CLAIM' }),
  /** Makes the operator's `externalId` of an organization unique. */
  externalId: (externalId: string): Key => ({ pk: `EXTERNAL_ID#${externalId}`, sk: 'CLAIM' }),
  /** A small named record, see `records()`. */
  record: (organizationId: string, kind: string, id: string): Key => ({
    pk: tenant(organizationId),
    sk: `${kind}#${id}`,
  }),
  /** Makes a name unique per kind within the organization. */
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
