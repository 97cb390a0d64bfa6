import { expect } from 'vitest';
import { epochSeconds } from '#lib/platform/clock.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { change, discard, write } from '#lib/platform/db/write.ts';
import {
  acceptsAnonymous,
  type Contract,
  peopleOnlyMessage,
  type Role,
  ranksAtLeast,
  roles,
} from '#schemas/contract.ts';
import { endpoints } from '#schemas/index.ts';
import { newSession, type Person, type World } from '#scripts/fixtures/world.ts';
import type { Answer } from '#tests/support/api.ts';
import { errorBodyOf } from '#tests/support/error-body.ts';
import { representatives } from './representatives.ts';

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

/** The result of only the access check. */
export type Verdict = 'unauthorized' | 'not found' | 'forbidden' | 'people only' | 'let in';

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
 * Returns the contract's decision about a caller, while every setting that admits lower roles is
 * off.
 */
export function verdictOn({ access }: Contract, column: Column): Verdict {
  if (access.kind === 'public' || (column === 'no token' && acceptsAnonymous(access))) {
    return 'let in';
  }
  if (access.kind === 'operator' || withoutSession.has(column)) {
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

const triedByAll: ReadonlySet<Contract> = new Set(
  representatives(endpoints, ({ access }) =>
    access.kind === 'member' ? [access.lowestRole, access.unless] : [],
  ),
);

/**
 * Returns the callers to try, from a list in ascending order. For representatives, all of them. For
 * others, the callers on both sides of the border, and members of other organizations.
 */
export function callersToTry<Caller extends string>(
  contract: Contract,
  callers: readonly Caller[],
  verdict: (contract: Contract, caller: Caller) => Verdict,
): readonly Caller[] {
  if (triedByAll.has(contract)) {
    return callers;
  }
  const firstIn = callers.findIndex((caller) => verdict(contract, caller) === 'let in');
  const border = firstIn < 0 ? callers.length : firstIn;

  return callers.filter(
    (caller, rank) =>
      rank === border || rank === border - 1 || verdict(contract, caller) === 'not found',
  );
}

/**
 * Expects the response to a caller. The body must not be an object: then a 400 about it shows that
 * the caller was admitted, without side effects.
 */
export function expectVerdict(
  contract: Contract,
  verdict: Verdict,
  { status, body }: Answer,
  caller: string,
): void {
  if (verdict !== 'let in') {
    expect(body, caller).toEqual(refusals(contract, caller)[verdict]);
  } else if (contract.body) {
    expect([status, body.message], caller).toEqual([
      400,
      ['Request body must be a valid JSON object'],
    ]);
  } else {
    // An unsigned webhook delivery also returns 401, but not because of a session.
    expect(body, caller).not.toHaveProperty('code', 'SESSION_INVALID');
    expect(status, caller).not.toBe(403);
    expect(body, caller).not.toEqual(organizationNotFound);
  }
}

function refusals({ access }: Contract, caller: string) {
  return {
    unauthorized: caller === 'no token' ? authenticationRequired : sessionInvalid,
    'not found': organizationNotFound,
    forbidden: refusalBody(access.kind === 'member' ? access.refusal : ''),
    'people only': personRequired,
  };
}

/** Creates an expired session that the table has not removed yet. */
async function expiredSession({ userId }: Person, organizationId: string): Promise<string> {
  const { token, sessionId } = await newSession(userId, organizationId);
  const set = { expiresAtSeconds: epochSeconds(-1) };
  await write(change(keys.session(userId, sessionId), { set }));

  return token;
}

async function revokedSession({ userId }: Person, organizationId: string): Promise<string> {
  const { token, sessionId } = await newSession(userId, organizationId);
  await write(discard(keys.session(userId, sessionId)));

  return token;
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

/** Returns true if the path does not contain the organization. */
export function worksInCurrent({ access }: Contract): boolean {
  return access.kind === 'member' && access.organization === 'current';
}

/** Returns the header with the world's organization if the path does not contain it. */
export function organizationHeader(
  contract: Contract,
  { organizationId }: World,
): Readonly<Record<string, string>> {
  return worksInCurrent(contract) ? { 'x-organization-id': organizationId } : {};
}

export const sessionInvalid = errorBodyOf('SESSION_INVALID', 'Invalid or expired access token');

export const authenticationRequired = errorBodyOf(
  'AUTHENTICATION_REQUIRED',
  'Authentication required',
);

export const organizationNotFound = errorBodyOf(
  'ORGANIZATION_NOT_FOUND',
  "Organization not found or you don't have access",
);

/** The 403 body for an API key at an endpoint that needs a person. */
export const personRequired = errorBodyOf('PERSON_REQUIRED', peopleOnlyMessage);

/** Returns the 403 body with the contract's own message. */
export function refusalBody(message: string) {
  return errorBodyOf('ROLE_INSUFFICIENT', message);
}
