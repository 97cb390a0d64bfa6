import {
  beginningWith,
  counterShard,
  inTenant,
  type Key,
  key,
  tenant,
  wholePartition,
} from './key.ts';

const platform = 'PLATFORM';
const organizationCounts = `${platform}#ORGANIZATION_COUNTS`;

export const organizationKeys = {
  /** The next time when old messages are removed, if the organization has enabled it. */
  retention: (organizationId: string) => inTenant(organizationId, 'RETENTION'),
  organization: (organizationId: string) => inTenant(organizationId, 'ORG'),
  /** The organization's side of a membership. Every request of a member reads it. */
  member: (organizationId: string, userId: string) => inTenant(organizationId, `MEMBER#${userId}`),
  invitation: (organizationId: string, invitationId: string) =>
    inTenant(organizationId, `INVITATION#${invitationId}`),
  pendingInvitation: (organizationId: string, email: string) =>
    inTenant(organizationId, `UNIQUE#INVITATION#${email}`),
  invitationToken: (tokenHash: string) => key(`INVITATION_TOKEN#${tokenHash}`, 'CLAIM'),
  /** The permissions of an API key. Every request with the key reads them. */
  apiKey: (keyHash: string) => key(`API_KEY#${keyHash}`, 'KEY'),
  /** Refers to an API key of the organization. */
  apiKeyEntry: (organizationId: string, apiKeyId: string) =>
    inTenant(organizationId, `API_KEY#${apiKeyId}`),
  auditEntry: (organizationId: string, entryId: string) =>
    inTenant(organizationId, `AUDIT#${entryId}`),
  counter: (organizationId: string, counter: string) =>
    inTenant(organizationId, `COUNT#${counter}`),
  /** An organization in the operator's list of suspended ones. */
  listedOrganization: (organizationId: string) => key(platform, `ORGANIZATION#${organizationId}`),
  /** The same for suspended organizations alone. */
  suspendedOrganization: (organizationId: string) => key(platform, `SUSPENDED#${organizationId}`),
  organizationCounter: (shard: number) => key(organizationCounts, counterShard(shard)),
  /** A link that signs a person in once. */
  signInLink: (tokenHash: string) => key(`SIGN_IN_LINK#${tokenHash}`, 'CLAIM'),
  /** Makes the operator's `externalId` of an organization unique. */
  externalId: (externalId: string) => key(`EXTERNAL_ID#${externalId}`, 'CLAIM'),
  /** A small named record, see `records()`. */
  record: (organizationId: string, kind: string, id: string) =>
    inTenant(organizationId, `${kind}#${id}`),
  /** Makes a name unique per kind within the organization. */
  nameClaim: (organizationId: string, kind: string, name: string) =>
    inTenant(organizationId, `UNIQUE#${kind}#${name}`),
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
