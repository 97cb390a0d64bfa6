import { countAttempt, requirePassword } from '#lib/features/auth/confirm-identity.ts';
import { liveChainOf } from '#lib/features/auth/email-chain.ts';
import { listSessions } from '#lib/features/auth/sessions.ts';
import { planLastCode } from '#lib/features/auth/two-factor/last-code.ts';
import {
  type MembershipOfOrganization,
  type Organization,
  planOrganizationChange,
  withOrganizations,
} from '#lib/features/organizations/organizations.ts';
import { loadUser } from '#lib/features/users/load-user.ts';
import {
  planEmailRelease,
  planReservationEnd,
  requireUser,
  type User,
} from '#lib/features/users/users.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { above, allOf, type Condition, equals, unchanged } from '#lib/platform/db/conditions.ts';
import { ConditionNotMetError, type StoredItem } from '#lib/platform/db/failures.ts';
import { organizationKeys } from '#lib/platform/db/keys/organizations.ts';
import { userKeys } from '#lib/platform/db/keys/users.ts';
import { retryWhenOvertaken } from '#lib/platform/db/retry-when-overtaken.ts';
import { change, discard, remove, type Write, write } from '#lib/platform/db/write.ts';
import {
  type ApiError,
  apiError,
  googleTokenInvalid,
  overtaken,
  rejectProblems,
  sessionInvalid,
} from '#lib/platform/errors/failures.ts';
import type { Membership } from '#lib/platform/identity/identity.ts';
import { describeFailure, logger } from '#lib/platform/log/logger.ts';
import type { RateLimitState } from '#lib/platform/rate-limits/rate-limiter.ts';
import { dispatch, planWork } from '#lib/platform/work/outbox.ts';
import { verifyGoogleIdToken } from '#lib/vendors/google/id-token.ts';
import type * as contracts from '#schemas/auth.ts';
import type { BodyOf } from '#schemas/contract.ts';
import { type DeletedAccount, finishAccountDeletion } from './finish-account-deletion.ts';

type Proof = BodyOf<typeof contracts.deleteMe>;

/** DynamoDB's limit. */
const maxWrites = 100;
/** The worker, which has more time, finishes accounts with more memberships. */
const maxFinishedAtOnce = 20;

/**
 * Deletes the user's account. One transaction decides: it removes the profile, releases the email
 * address, and ends all ownerships, so that no organization is left without an owner. The remaining
 * steps follow immediately. After a crash, the worker completes them.
 *
 * @throws 401 for a wrong password or ID token, 400 for a missing one or a wrong code, 409 with the
 * organizations that have other members but no other owner.
 */
export async function deleteAccount(
  userId: string,
  proof: Proof,
  counted: (states: readonly RateLimitState[]) => void,
): Promise<void> {
  const user = await requireUser(userId);
  requireProof(user, proof);
  const codeUse = await countAttempt(userId, counted, () => planConfirmation(user, proof));
  const { email, firstName, lastName, lastActiveAt } = user;
  const account: DeletedAccount = { userId, email, firstName, lastName, lastActiveAt };
  const removal = planWork('organizationRemoval', {
    owner: userKeys.user(userId),
    payload: account,
    leaveToSweep: true,
  });
  const memberships = await retryWhenOvertaken('account', () => decide(user, codeUse, removal));
  await finishNow(account, memberships);
  await dispatch('organizationRemoval', removal.key, {});
}

/**
 * The password of a LOCAL user may be invalid, because the first link to a Google account
 * invalidates it.
 */
function provesByGoogle({ authProvider, googleSubject }: User, { password, idToken }: Proof) {
  return authProvider === 'GOOGLE' || (googleSubject && idToken && !password);
}

function requireProof(user: User, proof: Proof): void {
  const { password, idToken, code } = proof;
  const isGoogle = provesByGoogle(user, proof);
  const missing = [
    ...(isGoogle || password ? [] : ['password is required']),
    ...(isGoogle && !idToken ? ['idToken is required'] : []),
    ...(user.twoFactorEnabled && !code ? ['code is required'] : []),
  ];
  rejectProblems(missing);
}

/** Returns the writes that use up the code. */
async function planConfirmation(user: User, proof: Proof): Promise<readonly Write[]> {
  const { password, idToken, code } = proof;
  if (provesByGoogle(user, proof)) {
    const { subject } = await verifyGoogleIdToken(idToken ?? '');
    if (subject !== user.googleSubject) {
      throw googleTokenInvalid();
    }
  } else {
    await requirePassword(user, password ?? '');
  }

  return user.twoFactorEnabled ? (await planLastCode(user, code ?? '')).writes : [];
}

/** Returns the remaining memberships to remove. Throws ConditionNotMetError to retry. */
async function decide(
  confirmed: User,
  codeUse: readonly Write[],
  removal: Write,
): Promise<readonly Membership[]> {
  const { userId } = confirmed;
  const { user, memberships } = await loadUser(userId);
  if (!user) {
    throw sessionInvalid();
  }
  if (!signsInAs(confirmed, user)) {
    throw overtaken('Another request changed how you sign in. Try again');
  }
  const [owned, sessions] = await Promise.all([
    withOrganizations(memberships.filter(({ role }) => role === 'OWNER')),
    listSessions(userId),
  ]);
  const blocking = owned.filter(isLastOwnerOfOthers);
  if (blocking.length > 0) {
    throw soleOwner(blocking.map(({ organization }) => organization));
  }
  const reserved = liveChainOf(user)?.revertible;
  const necessary = [
    ...codeUse,
    remove(userKeys.user(userId), {
      when: allOf(isUnchanged(user), unchanged('ownerVersion', user.ownerVersion)),
    }),
    planEmailRelease(user.email, userId),
    ...(reserved && reserved !== user.email ? [planReservationEnd(reserved, userId)] : []),
    ...(user.googleSubject ? [discard(userKeys.googleSubject(user.googleSubject))] : []),
    removal,
    ...owned.flatMap((one) => planOwnershipEnd(one, userId)),
  ];
  if (necessary.length > maxWrites) {
    throw apiError(
      'TOO_MANY_ORGANIZATIONS',
      'You own too many organizations to delete your account. Leave or delete some',
    );
  }
  // Sessions beyond the limit are ended after this transaction.
  await write(...necessary, ...sessions.slice(0, maxWrites - necessary.length).map(discard));

  return memberships;
}

function signsInAs(one: User, other: User): boolean {
  return (
    one.passwordHash === other.passwordHash &&
    one.googleSubject === other.googleSubject &&
    one.twoFactorEnabled === other.twoFactorEnabled
  );
}

function isUnchanged(user: User): Condition {
  return allOf(
    equals('email', user.email),
    unchanged('emailChain', user.emailChain),
    unchanged('passwordHash', user.passwordHash),
    unchanged('googleSubject', user.googleSubject),
    unchanged('twoFactorEnabled', user.twoFactorEnabled),
  );
}

function isLastOwnerOfOthers({ organization }: MembershipOfOrganization): boolean {
  return organization.ownerCount === 1 && organization.memberCount > 1;
}

function soleOwner(organizations: readonly Organization[]): ApiError {
  const names = organizations.map(({ name }) => name).join(', ');

  return apiError(
    'SOLE_OWNER',
    `You are the only owner of ${names}. Make another member an owner, or delete the organization`,
    {
      fields: {
        organizations: organizations.map(({ organizationId, name }) => ({
          id: organizationId,
          name,
        })),
      },
    },
  );
}

/**
 * Deletes an organization without other members. In other organizations, the user stops being an
 * owner.
 */
function planOwnershipEnd(
  { organization }: MembershipOfOrganization,
  userId: string,
): readonly Write[] {
  const { organizationId, memberCount } = organization;
  const onConditionFailed = (stored: StoredItem | undefined) =>
    new ConditionNotMetError(organizationKeys.organization(organizationId), stored);
  if (memberCount === 1) {
    return [
      planOrganizationChange(organizationId, {
        set: { deletedAt: timestamp(), deletedWith: userId },
        when: equals('memberCount', 1),
        onConditionFailed,
      }),
    ];
  }

  return [
    planOrganizationChange(organizationId, {
      add: { ownerCount: -1 },
      when: above('ownerCount', 1),
      onConditionFailed,
    }),
    change(organizationKeys.member(organizationId, userId), {
      set: { role: 'VIEWER' },
      when: equals('role', 'OWNER'),
    }),
  ];
}

async function finishNow(
  account: DeletedAccount,
  memberships: readonly Membership[],
): Promise<void> {
  if (memberships.length > maxFinishedAtOnce) {
    return;
  }
  try {
    await finishAccountDeletion(account);
  } catch (failure) {
    logger.warn('A deleted account is left to the worker', { failure: describeFailure(failure) });
  }
}
