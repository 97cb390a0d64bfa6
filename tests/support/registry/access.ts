import { ranksAtLeast } from '#lib/platform/identity/roles.ts';
import { type Contract, type Role, roles } from '#schemas/contract.ts';
import { expiredSession, type Person, revokedSession, type World } from './world.ts';

/**
 * Kinds of callers: without a valid session, not a member of the organization, or with a role in
 * it.
 */
export const columns = [
  'no token',
  'garbage token',
  'expired session',
  'revoked session',
  'stranger',
  'VIEWER',
  'MEMBER',
  'ADMIN',
  'OWNER',
] as const;

export type Column = (typeof columns)[number];

/** The result of the access check alone. */
export type Verdict = 'unauthorized' | 'not found' | 'forbidden' | 'let in';

const withoutSession: ReadonlySet<Column> = new Set([
  'no token',
  'garbage token',
  'expired session',
  'revoked session',
]);

function isRole(column: Column): column is Role {
  return (roles as readonly string[]).includes(column);
}

/**
 * Returns the contract's verdict on a caller while every setting that admits lower roles is off.
 */
export function verdictOn({ access }: Contract, column: Column): Verdict {
  if (access.kind === 'public') {
    return 'let in';
  }
  if (withoutSession.has(column)) {
    return 'unauthorized';
  }
  if (access.kind === 'user') {
    return 'let in';
  }
  if (!isRole(column)) {
    return 'not found';
  }

  return ranksAtLeast(column, access.lowestRole) ? 'let in' : 'forbidden';
}

/** Returns the token of a kind of caller in the world. */
export async function tokenOf(
  column: Column,
  { organizationId, people }: World,
  stranger: Person,
): Promise<string | undefined> {
  if (isRole(column)) {
    return people[column].token;
  }
  switch (column) {
    case 'no token':
      return undefined;
    case 'garbage token':
      return 'garbage';
    case 'expired session':
      return expiredSession(people.OWNER, organizationId);
    case 'revoked session':
      return revokedSession(people.OWNER, organizationId);
    default:
      return stranger.token;
  }
}

/** Returns the header that names the world's organization if the path does not. */
export function organizationHeader(
  { access }: Contract,
  { organizationId }: World,
): Readonly<Record<string, string>> {
  const isCurrent = access.kind === 'member' && access.organization === 'current';

  return isCurrent ? { 'x-organization-id': organizationId } : {};
}

export const sessionInvalid = {
  success: false,
  statusCode: 401,
  message: 'Invalid or expired access token',
  error: 'Unauthorized',
  code: 'SESSION_INVALID',
} as const;

export const authenticationRequired = {
  ...sessionInvalid,
  message: 'Authentication required',
} as const;

export const organizationNotFound = {
  success: false,
  statusCode: 404,
  message: "Organization not found or you don't have access",
  error: 'Not Found',
} as const;

/** Returns the 403 body with the contract's own message. */
export function refusalBody(message: string) {
  return { success: false, statusCode: 403, message, error: 'Forbidden' } as const;
}
