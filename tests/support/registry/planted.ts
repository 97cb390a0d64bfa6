import { randomUUID } from 'node:crypto';
import type { Role } from '#schemas/contract.ts';

/** Attribute names that the service sets itself or that JavaScript reads. */
export const ownAttributes = [
  'id',
  'pk',
  'sk',
  'duePk',
  'dueAt',
  'ttl',
  'writeId',
  'expiresAtSeconds',
  'userId',
  'organizationId',
  'sessionId',
  'currentOrganizationId',
  'invitationId',
  'customerId',
  'stripeCustomerId',
  'billingEmail',
  'role',
  'roles',
  'status',
  'permissions',
  'isAdmin',
  'memberCount',
  'ownerCount',
  'credits',
  'usageCount',
  'clickCount',
  'value',
  'createdAt',
  'updatedAt',
  'deletedAt',
  'joinedAt',
  'invitedAt',
  'invitedBy',
  'lastActiveAt',
  'acceptedAt',
  'passwordHash',
  'tokenHash',
  'emailVerified',
  'authProvider',
  'avatar',
  'purpose',
  'ipAddress',
  'userAgent',
  'timezone',
  'settings',
  'settings.allowMemberInvites',
  'settings.internal',
  'payload',
  'prototype',
  'constructor',
] as const;

const markPattern = /planted[0-9a-f]{32}/;

export function holdsMark(value: unknown): boolean {
  return markPattern.test(JSON.stringify(value));
}

/** Returns a text that occurs in only one planted body. */
export function newMark(): string {
  return `planted${randomUUID().replaceAll('-', '')}`;
}

const plausible: Readonly<Record<string, unknown>> = {
  role: 'OWNER' satisfies Role,
  isAdmin: true,
  emailVerified: true,
  memberCount: 987_654_321,
  ownerCount: 987_654_321,
  credits: 987_654_321,
  usageCount: 987_654_321,
  clickCount: 987_654_321,
  value: 987_654_321,
  expiresAtSeconds: 9_876_543_210,
  ttl: 9_876_543_210,
  status: 'active',
  settings: { allowMemberInvites: true, requireApprovalForJoins: true, defaultRole: 'OWNER' },
  'settings.allowMemberInvites': true,
};

/** Returns fields that callers may not set, each with the mark as its value. */
export function marked(mark: string): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    ownAttributes.map((name) => [
      name,
      name === 'settings' ? { internal: mark, writeId: mark } : mark,
    ]),
  );
}

/** Like `marked`, with plausible values where possible. */
export function believable(mark: string): Readonly<Record<string, unknown>> {
  return { ...marked(mark), ...plausible };
}

/** Returns only the planted fields that the contract's body does not define. */
export function unknownTo(
  shape: Readonly<Record<string, unknown>>,
  planted: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(planted).filter(([name]) => !(name in shape)));
}
