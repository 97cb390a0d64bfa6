import { planBillingCustomer } from '#lib/features/billing/customer/billing-customer.ts';
import {
  type CustomerAttempt,
  makeCustomer,
  planCustomerAttempt,
} from '#lib/features/billing/customer/customer-attempt.ts';
import { writeWithWelcome } from '#lib/features/billing/customer/welcome-credits.ts';
import { planOrganization } from '#lib/features/organization-lifecycle/create-organization.ts';
import { planAcceptance, requireInvitationFor } from '#lib/features/organizations/invitations.ts';
import type { Organization } from '#lib/features/organizations/organizations.ts';
import { emailTaken, findEmailClaim, fullName, presentUser } from '#lib/features/users/users.ts';
import { discard, type ExtraWrites, remove, write } from '#lib/platform/db/write.ts';
import { ApiError, badRequest } from '#lib/platform/errors/failures.ts';
import { describeFailure, logger } from '#lib/platform/log/logger.ts';
import { deleteCustomer } from '#lib/vendors/stripe/customers.ts';
import type * as contracts from '#schemas/auth.ts';
import type { BodyOf } from '#schemas/contract.ts';
import { type Credential, newUser, planSignedInUser } from './new-user.ts';
import type { Origin } from './sessions.ts';

/** The signup's details of the user and the organization. */
export type NewAccount = Omit<BodyOf<typeof contracts.signUp>, 'password'>;

type AccountBasis = {
  readonly credential: Credential;
  readonly customerId: string;
  readonly emailVerified: boolean;
  /** The former user for whom the address is reserved. */
  readonly reservedFor?: string | undefined;
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
  /** True if the address is known to belong to the user. An invitation also proves it. */
  readonly isEmailProven: boolean;
};

/**
 * Registers a user and an organization with billing. Either all of it succeeds or nothing.
 *
 * The attempt is stored before the payment provider is called, and deleted in the transaction that
 * creates everything else. A rejected signup deletes its customer immediately. A crashed signup
 * leaves its attempt behind, and the cleanup job deletes the customer later. The email address is
 * not claimed in the meantime, so the user can retry immediately. An address that is reserved for
 * its former user is only given to a person who can read its mail.
 *
 * @throws 409 if the email address is taken, 400 if the provider rejects the card or email address,
 * 502 if the provider is unavailable.
 */
export async function register(
  input: NewAccount,
  { credential, isEmailProven }: Registration,
  origin: Origin,
  extraWrites: ExtraWrites<Registered>,
): Promise<Registered> {
  const claim = await findEmailClaim(input.email);
  if (claim?.userId) {
    throw emailTaken();
  }
  const invitation = input.invitationToken
    ? await checkInvitation(input.email, input.invitationToken)
    : undefined;
  const emailVerified = isEmailProven || invitation !== undefined;
  if (claim && !emailVerified) {
    throw emailTaken();
  }
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
    emailVerified,
    reservedFor: claim?.reservedFor,
    origin,
  });
  const registered = { user: presentUser(user), organization, token };
  const others = [
    ...(await extraWrites(registered)),
    ...writes,
    remove(attempt.write.key),
    ...(invitation ? (await planAcceptance(invitation, user)).writes : []),
  ];
  await undoIfRefused(customerId, attempt, () =>
    writeWithWelcome(cardFingerprint, (credits) => [...others, ...billing(credits)]),
  );

  return registered;
}

/** Plans a signed-in user and an organization, and separately the organization's billing. */
export async function planAccount(
  input: Omit<NewAccount, 'paymentMethodId' | 'invitationToken'>,
  { credential, customerId, emailVerified, reservedFor, origin }: AccountBasis,
) {
  const user = newUser(input, credential, emailVerified);
  const { userId } = user;
  const { organization, writes } = planOrganization(
    { name: input.organizationName, timezone: input.timezone },
    userId,
  );
  const { organizationId } = organization;
  const signedIn = await planSignedInUser(user, { organizationId, origin, reservedFor });
  const billing = {
    organizationId,
    customerId,
    billingEmail: input.email,
    billingName: input.organizationName,
  };

  return {
    user,
    organization,
    token: signedIn.token,
    writes: [...signedIn.writes, ...writes],
    billing: (welcomeCredits: number) => planBillingCustomer(billing, welcomeCredits),
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

/**
 * Deletes the customer, because the rest was not written. If that fails, the cleanup job does it.
 */
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
