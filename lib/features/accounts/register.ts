import {
  emailTaken,
  fullName,
  isEmailTaken,
  planEmailClaim,
  presentUser,
  type User,
} from '#lib/features/accounts/users/users.ts';
import { planBillingAccount } from '#lib/features/billing/account/billing-account.ts';
import {
  type CustomerAttempt,
  makeCustomer,
  planCustomerAttempt,
} from '#lib/features/billing/account/customer-attempt.ts';
import { writeWithWelcome } from '#lib/features/billing/account/welcome-credits.ts';
import { planOrganization } from '#lib/features/organization-lifecycle/create-organization.ts';
import { planAcceptance, requireInvitationFor } from '#lib/features/organizations/invitations.ts';
import type { Organization } from '#lib/features/organizations/organizations.ts';
import { timestamp } from '#lib/platform/clock.ts';
import { keys } from '#lib/platform/db/keys.ts';
import { type Alongside, create, discard, remove, write } from '#lib/platform/db/write.ts';
import { ApiError } from '#lib/platform/errors/api-error.ts';
import { badRequest } from '#lib/platform/errors/failures.ts';
import { newId } from '#lib/platform/ids.ts';
import { describeFailure, logger } from '#lib/platform/log/logger.ts';
import { deleteCustomer } from '#lib/vendors/stripe/customers.ts';
import type * as contracts from '#schemas/auth.ts';
import type { BodyOf } from '#schemas/contract.ts';
import { planConsent } from './consents.ts';
import { type Origin, planSession } from './sessions.ts';

/** How a new user signs in. */
export type Credential =
  | { readonly passwordHash: string }
  | { readonly googleSubject: string; readonly googleLinkedAt: string };

/** What a signup says about the user and the organization. */
export type NewAccount = Omit<BodyOf<typeof contracts.signUp>, 'password'>;

type AccountBasis = {
  readonly credential: Credential;
  readonly customerId: string;
  readonly emailVerified: boolean;
  readonly origin: Origin;
};

export type Registered = {
  /**
   * The public representation: results are stored for idempotent replay and must not include the
   * password hash.
   */
  readonly user: ReturnType<typeof presentUser>;
  readonly organization: Organization;
  readonly token: string;
};

type Registration = {
  /** Runs in parallel with the payment provider. */
  readonly credential: () => Promise<Credential> | Credential;
  /** True if the address is known to be the user's. An invitation proves it, too. */
  readonly isEmailProven: boolean;
};

/**
 * Registers a user and an organization with billing set up. Either all of it succeeds or nothing.
 *
 * The attempt is stored before the payment provider is called, and deleted in the transaction that
 * creates everything else. A rejected signup deletes its customer immediately. A crashed one leaves
 * its attempt behind, and the cleanup job deletes the customer later. The email address is not
 * claimed in the meantime, so the user can retry right away.
 *
 * @throws 409 if the email address is taken, 400 if the provider rejects the card or email address,
 *   502 if the provider is unavailable.
 */
export async function register(
  input: NewAccount,
  { credential, isEmailProven }: Registration,
  origin: Origin,
  alongside: Alongside<Registered>,
): Promise<Registered> {
  if (await isEmailTaken(input.email)) {
    throw emailTaken();
  }
  const invitation = input.invitationToken
    ? await checkInvitation(input.email, input.invitationToken)
    : undefined;
  const attempt = planCustomerAttempt(input.email);
  await write(attempt.write);
  const { organizationName, paymentMethodId } = input;
  const [proof, { customerId, cardFingerprint }] = await Promise.all([
    credential(),
    makeCustomer(attempt, {
      name: `${organizationName} (${fullName(input)})`,
      paymentMethodId,
    }),
  ]);
  const { user, organization, token, writes, billing } = await planAccount(input, {
    credential: proof,
    customerId,
    emailVerified: isEmailProven || invitation !== undefined,
    origin,
  });
  const registered = { user: presentUser(user), organization, token };
  const others = [
    ...(await alongside(registered)),
    ...writes,
    remove(attempt.write.key),
    ...(invitation ? (await planAcceptance(invitation, user)).writes : []),
  ];
  await undoIfRefused(customerId, attempt, () =>
    writeWithWelcome(cardFingerprint, (credits) => [...others, ...billing(credits)]),
  );

  return registered;
}

/**
 * Plans a user, an organization and a session, and separately the organization's billing. The email
 * claim is the first write, so that a conflict reports the taken address.
 */
export async function planAccount(
  input: Omit<NewAccount, 'paymentMethodId' | 'invitationToken'>,
  { credential, customerId, emailVerified, origin }: AccountBasis,
) {
  const user = newUser(input, credential, emailVerified);
  const { userId } = user;
  const { organization, writes } = planOrganization(
    { name: input.organizationName, timezone: input.timezone },
    userId,
  );
  const { organizationId } = organization;
  const session = await planSession(userId, organizationId, origin);
  const billing = {
    organizationId,
    customerId,
    billingEmail: input.email,
    billingName: input.organizationName,
  };

  return {
    user,
    organization,
    token: session.token,
    writes: [
      planEmailClaim(user.email, userId),
      create(keys.user(userId), user),
      ...('googleSubject' in credential
        ? [create(keys.googleSubject(credential.googleSubject), { userId }, emailTaken)]
        : []),
      session.write,
      planConsent(userId, origin),
      ...writes,
    ],
    billing: (welcomeCredits: number) => planBillingAccount(billing, welcomeCredits),
  };
}

async function checkInvitation(email: string, token: string) {
  try {
    return await requireInvitationFor(email, token);
  } catch (failure) {
    throw failure instanceof ApiError && failure.statusCode < 500
      ? badRequest(`invitationToken is not valid: ${failure.message}`)
      : failure;
  }
}

export function newUser(
  input: Pick<NewAccount, 'email' | 'firstName' | 'lastName' | 'timezone'>,
  credential: Credential,
  emailVerified: boolean,
): User {
  const now = timestamp();

  return {
    userId: newId(),
    email: input.email,
    firstName: input.firstName,
    lastName: input.lastName,
    timezone: input.timezone,
    authProvider: 'passwordHash' in credential ? 'LOCAL' : 'GOOGLE',
    ...credential,
    emailVerified,
    createdAt: now,
    updatedAt: now,
    lastActiveAt: now,
  };
}

async function undoIfRefused(
  customerId: string,
  attempt: CustomerAttempt,
  commit: () => Promise<void>,
): Promise<void> {
  try {
    await commit();
  } catch (failure) {
    const isRefused = failure instanceof ApiError && failure.statusCode < 500;
    if (isRefused) {
      await undo(customerId, attempt);
    }
    throw failure;
  }
}

/** Deletes the customer, because nothing was written. If that fails, the cleanup job does it. */
async function undo(customerId: string, attempt: CustomerAttempt): Promise<void> {
  try {
    await deleteCustomer(customerId);
    await write(discard(attempt.write.key));
  } catch (failure) {
    logger.warn('The customer of a refused signup is left to the sweep', {
      failure: describeFailure(failure),
    });
  }
}
