import { hashPassword } from '#lib/features/accounts/passwords.ts';
import { newUser as newUserOfService, planAccount } from '#lib/features/accounts/register.ts';
import type { User } from '#lib/features/accounts/users/users.ts';
import { config } from '#lib/platform/config.ts';
import { newId } from '#lib/platform/ids.ts';
import { createCustomer } from '#lib/vendors/stripe/customers.ts';
import type { Account, SignUpBody } from './accounts.ts';
import { plant } from './plant.ts';

const origin = { clientIp: '2001:db8::1', userAgent: 'vitest' };

const hashes = new Map<string, Promise<string>>();

function hashOf(password: string): Promise<string> {
  const hash = hashes.get(password) ?? hashPassword(password);
  hashes.set(password, hash);

  return hash;
}

/** Creates a user as a signup does. */
export async function newUser({ password, ...person }: SignUpBody): Promise<User> {
  return newUserOfService(person, { passwordHash: await hashOf(password) }, false);
}

/**
 * Writes what a signup leaves directly to the table, including a customer at the payment provider.
 * The signup's transaction takes three quarters of its time.
 */
export async function plantAccount({
  password,
  paymentMethodId,
  ...body
}: SignUpBody): Promise<Account> {
  const { customerId } = await createCustomer({
    email: body.email,
    name: `${body.organizationName} (${body.firstName} ${body.lastName})`,
    paymentMethodId,
    signupAttemptId: newId(),
  });
  const { user, organization, token, writes, billing } = await planAccount(body, {
    credential: { passwordHash: await hashOf(password) },
    customerId,
    emailVerified: false,
    origin,
  });
  await plant(...writes, ...billing(config.welcomeCredits));
  const { userId, email } = user;

  return { userId, email, token, organizationId: organization.organizationId };
}
