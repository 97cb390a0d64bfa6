import { newUser, planSignedInUser } from '#lib/features/auth/new-user.ts';
import { type Origin, planSession } from '#lib/features/auth/sessions.ts';
import { planJoining } from '#lib/features/organizations/invitations.ts';
import {
  findOrganization,
  type Organization,
  planOrganizationOpen,
  requireOrganization,
} from '#lib/features/organizations/organizations.ts';
import {
  findEmailClaim,
  planCredentialsUnchanged,
  planNewOwner,
  type User,
} from '#lib/features/users/users.ts';
import { planAudit } from '#lib/platform/audit/audit-log.ts';
import { epochSeconds, timestamp } from '#lib/platform/clock.ts';
import { config } from '#lib/platform/config.ts';
import { hashToken, newOneTimeToken } from '#lib/platform/crypto/one-time-token.ts';
import { ConditionNotMetError } from '#lib/platform/db/failures.ts';
import type { Key } from '#lib/platform/db/keys/key.ts';
import { organizationKeys } from '#lib/platform/db/keys/organizations.ts';
import { userKeys } from '#lib/platform/db/keys/users.ts';
import { get } from '#lib/platform/db/read.ts';
import { retryWhenOvertaken } from '#lib/platform/db/retry-when-overtaken.ts';
import { create, type ExtraWrites, remove, type Write, write } from '#lib/platform/db/write.ts';
import {
  type ApiError,
  apiError,
  notFound,
  organizationSuspended,
} from '#lib/platform/errors/failures.ts';
import { actingOperatorKeyId } from '#lib/platform/identity/acting-key.ts';
import { findMembership } from '#lib/platform/identity/identity.ts';
import { newId } from '#lib/platform/ids.ts';
import { utc } from '#lib/platform/time-zone.ts';
import type { BodyOf, Role } from '#schemas/contract.ts';
import type { createPlatformSignInLink } from '#schemas/operators.ts';

const lifetimeSeconds = 300;

type SignInLink = {
  readonly organizationId: string;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly role: Role;
  readonly path?: string;
  readonly operatorKeyId: string | null;
  readonly expiresAtSeconds: number;
};

type CreatedLink = { readonly url: string; readonly expiresAt: string };

/**
 * Creates a link that signs a person in. Only the hash of its token is stored.
 *
 * @throws 404, 403 if the organization is suspended, 409 if the person has another way to sign in.
 */
export async function createSignInLink(
  organizationId: string,
  { path, ...person }: BodyOf<typeof createPlatformSignInLink>,
  extraWrites: ExtraWrites<CreatedLink>,
): Promise<CreatedLink> {
  await Promise.all([requireOrganization(organizationId), findLinkedUser(person.email)]);
  const token = newOneTimeToken();
  const expiresAtSeconds = epochSeconds(lifetimeSeconds);
  const link: SignInLink = {
    organizationId,
    ...person,
    ...(path ? { path } : {}),
    operatorKeyId: actingOperatorKeyId(),
    expiresAtSeconds,
  };
  const created = {
    url: `${config.publicBaseUrl}/sign-in/${token}`,
    expiresAt: timestamp(0, expiresAtSeconds * 1_000),
  };
  await write(
    ...(await extraWrites(created)),
    create(organizationKeys.signInLink(hashToken(token)), link),
    planOrganizationOpen(organizationId),
    ...planAudit(organizationId, {
      action: 'sign_in_link.created',
      actorId: null,
      targetId: newId(),
      details: { email: person.email, role: person.role },
    }),
  );

  return created;
}

/**
 * Returns the user with this address, if any. An address that is reserved for its former user
 * belongs to that user, because the operator has not proven that the person can read its mail.
 *
 * @throws 409 if the user has another way to sign in, because a link must not bypass it.
 */
async function findLinkedUser(email: string): Promise<User | undefined> {
  const claim = await findEmailClaim(email);
  if (!claim) {
    return undefined;
  }
  const user = claim.userId ? await get<User>(userKeys.user(claim.userId)) : undefined;
  if (!user || user.passwordHash || user.googleSubject || user.twoFactorEnabled) {
    throw accountExists();
  }

  return user;
}

function accountExists(): ApiError {
  return apiError('ACCOUNT_EXISTS', 'This person has an account, and signs in with it');
}

export type OpenLink = { readonly link: SignInLink; readonly organization: Organization };

/** Returns the link of a token and its organization. `undefined` if either is gone. */
export async function findSignInLink(token: string): Promise<OpenLink | undefined> {
  const link = await get<SignInLink>(organizationKeys.signInLink(hashToken(token)));
  const organization = link && (await findOrganization(link.organizationId));

  return link && organization && { link, organization };
}

type SignedIn = { readonly userId: string; readonly token: string; readonly location: string };

/**
 * Uses a link and signs in its person, who joins the organization if they are not a member. Of
 * concurrent requests with the same link, only one succeeds.
 *
 * @throws 404 for a link that is unknown, used or expired, 403 if the organization is suspended,
 * 409 if the person now has another way to sign in, or the organization is full.
 */
export function signInByLink(token: string, origin: Origin): Promise<SignedIn> {
  return retryWhenOvertaken('user', async () => {
    const found = await findSignInLink(token);
    if (!found) {
      throw notFound('Organization');
    }
    const { link, organization } = found;
    if (organization.suspendedAt) {
      throw organizationSuspended();
    }
    const known = await findLinkedUser(link.email);
    const person = known
      ? await planKnownPerson(known, link, origin)
      : await planNewPerson(link, origin);
    await write(
      remove(organizationKeys.signInLink(hashToken(token)), { onConditionFailed: linkGone }),
      ...person.writes,
    );
    const { href } = new URL(`${config.appUrl}${link.path ?? ''}`);

    return { userId: person.userId, token: person.token, location: href };
  });
}

function linkGone(): ApiError {
  return notFound('Organization');
}

type Planned = {
  readonly userId: string;
  readonly token: string;
  readonly writes: readonly Write[];
};

async function planNewPerson(link: SignInLink, origin: Origin): Promise<Planned> {
  const { organizationId, email, firstName, lastName, role } = link;
  const user = newUser({ email, firstName, lastName, timezone: utc }, undefined, false);
  const [{ token, writes }, joining] = await Promise.all([
    planSignedInUser(user, {
      organizationId,
      origin,
      reservedFor: undefined,
      taken: () => overtakenBy(userKeys.emailClaim(email)),
    }),
    planJoining(organizationId, user, role, auditOf(link)),
  ]);

  return { userId: user.userId, token, writes: [...writes, ...joining.writes] };
}

/** A member keeps their role. */
async function planKnownPerson(user: User, link: SignInLink, origin: Origin): Promise<Planned> {
  const { userId } = user;
  const { organizationId, role } = link;
  const [session, membership] = await Promise.all([
    planSession(userId, organizationId, origin),
    findMembership(organizationId, userId),
  ]);
  const overtaken = () => overtakenBy(userKeys.user(userId));
  const joining = membership
    ? [planOrganizationOpen(organizationId)]
    : (await planJoining(organizationId, user, role, auditOf(link))).writes;
  const isNewOwner = role === 'OWNER' && !membership;

  return {
    userId,
    token: session.token,
    writes: [
      session.write,
      ...joining,
      isNewOwner
        ? planNewOwner(userId, overtaken, user)
        : planCredentialsUnchanged(user, overtaken),
    ],
  };
}

function auditOf({ operatorKeyId }: SignInLink) {
  return { details: { bySignInLink: true }, actorOperatorKeyId: operatorKeyId };
}

function overtakenBy(key: Key): ConditionNotMetError {
  return new ConditionNotMetError(key, undefined);
}
