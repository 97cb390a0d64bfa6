import { randomUUID } from 'node:crypto';
import { planSession } from '#lib/features/accounts/sessions.ts';
import { planEmailClaim } from '#lib/features/accounts/users/users.ts';
import { createApiKey } from '#lib/features/organizations/api-keys.ts';
import {
  planMembership,
  planOrganizationChange,
} from '#lib/features/organizations/organizations.ts';
import { epochSeconds, timestamp } from '#lib/platform/clock.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { change, create, discard, nothingElse, write } from '#lib/platform/db/write.ts';
import type { Role } from '#schemas/contract.ts';
import { newAccount, signUpBody } from '#tests/support/accounts.ts';
import { plant } from '#tests/support/plant.ts';
import { newUser } from '#tests/support/planted-account.ts';

/** A signed-in user. */
export type Person = {
  readonly userId: string;
  readonly email: string;
  readonly sessionId: string;
  readonly token: string;
};

/** An organization with one member of each role, and names that no other world has. */
export type World = {
  readonly organizationId: string;
  readonly people: Readonly<Record<Role, Person>>;
  /** Texts that occur only in this world and must not be visible in any other. */
  readonly names: readonly string[];
};

const origin = { clientIp: '2001:db8::1', userAgent: 'vitest' };

function sessionIdOf(token: string): string {
  const [, payload = ''] = token.split('.');
  const claims: { sid: string } = JSON.parse(Buffer.from(payload, 'base64url').toString());

  return claims.sid;
}

/** Creates another session for a user, with `organizationId` as the current organization. */
export async function newSession(
  userId: string,
  organizationId: string,
): Promise<Pick<Person, 'sessionId' | 'token'>> {
  const session = await planSession(userId, organizationId, origin);
  await write(session.write);

  return { token: session.token, sessionId: sessionIdOf(session.token) };
}

/** Creates an expired session that the table has not removed yet. */
export async function expiredSession({ userId }: Person, organizationId: string): Promise<string> {
  const { token, sessionId } = await newSession(userId, organizationId);
  const set = { expiresAtSeconds: epochSeconds(-1) };
  await write(change(keys.session(userId, sessionId), { set }));

  return token;
}

export async function revokedSession({ userId }: Person, organizationId: string): Promise<string> {
  const { token, sessionId } = await newSession(userId, organizationId);
  await write(discard(keys.session(userId, sessionId)));

  return token;
}

/** Creates an API key of a member. */
export function newKey(
  { organizationId, people }: World,
  role: Exclude<Role, 'OWNER'>,
  options: { readonly expiresAt?: string; readonly creator?: Role } = {},
) {
  const { expiresAt, creator = 'OWNER' } = options;
  const { userId } = people[creator];
  const body = { name: 'Sync', role, expiresAt };

  return createApiKey(organizationId, { userId, role: creator }, body, nothingElse);
}

/** Plans a user with a session in the organization and a membership with that role. */
async function planMember(organizationId: string, role: Role, name: string) {
  const user = await newUser(signUpBody({ firstName: name, lastName: name }));
  const { userId, email } = user;
  const session = await planSession(userId, organizationId, origin);
  const person = { userId, email, token: session.token, sessionId: sessionIdOf(session.token) };
  const membership = { organizationId, userId, role, joinedAt: timestamp() };

  return {
    person,
    writes: [
      planEmailClaim(email, userId),
      create(keys.user(userId), user),
      ...planMembership(membership),
      session.write,
    ],
  };
}

/**
 * Adds one member of each role directly to the table, because an invitation takes ten times as
 * long.
 */
async function join(organizationId: string, name: string) {
  const [admin, member, viewer] = await Promise.all([
    planMember(organizationId, 'ADMIN', name),
    planMember(organizationId, 'MEMBER', name),
    planMember(organizationId, 'VIEWER', name),
  ]);
  const planned = [admin, member, viewer];
  await plant(
    ...planned.flatMap(({ writes }) => writes),
    planOrganizationChange(organizationId, { add: { memberCount: planned.length } }),
  );

  return { ADMIN: admin.person, MEMBER: member.person, VIEWER: viewer.person };
}

/**
 * Creates an organization with one member of each role. The OWNER has a customer at the payment
 * provider.
 */
export async function newWorld(): Promise<World> {
  // Starts with a surrogate pair, where texts are truncated first.
  const name = `🍕Name${randomUUID().slice(0, 8)}`;
  const names = { firstName: name, lastName: name, organizationName: name };
  const owner = await newAccount(names);
  const { organizationId } = owner;
  const { ADMIN, MEMBER, VIEWER } = await join(organizationId, name);
  const OWNER = { ...owner, sessionId: sessionIdOf(owner.token) };

  return {
    organizationId,
    people: { OWNER, ADMIN, MEMBER, VIEWER },
    names: [name, ...[OWNER, ADMIN, MEMBER, VIEWER].map(({ email }) => email)],
  };
}
