import { beginningWith, type Key, tenant } from './key.ts';

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
  /** Makes a name unique per kind within the organization. */
  nameClaim: (organizationId: string, kind: string, name: string): Key => ({
    pk: tenant(organizationId),
    sk: `UNIQUE#${kind}#${name}`,
  }),
};

export const organizationRanges = {
  members: (organizationId: string) => beginningWith(tenant(organizationId), 'MEMBER#'),
  invitations: (organizationId: string) => beginningWith(tenant(organizationId), 'INVITATION#'),
  apiKeyEntries: (organizationId: string) => beginningWith(tenant(organizationId), 'API_KEY#'),
  auditEntries: (organizationId: string) => beginningWith(tenant(organizationId), 'AUDIT#'),
};

export function isMemberKey({ sk }: Key): boolean {
  return sk.startsWith('MEMBER#');
}
