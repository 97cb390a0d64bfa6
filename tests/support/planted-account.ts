import { BatchWriteCommand } from '@aws-sdk/lib-dynamodb';
import { recordConsent } from '#lib/auth/consents.ts';
import { hashPassword } from '#lib/auth/passwords.ts';
import { planSession } from '#lib/auth/sessions.ts';
import { createBillingAccount } from '#lib/billing/billing-account.ts';
import { timestamp } from '#lib/clock.ts';
import { config } from '#lib/config.ts';
import { documentClient } from '#lib/db/client.ts';
import { keys } from '#lib/db/keys.ts';
import { create, type Write, write } from '#lib/db/write.ts';
import { newId } from '#lib/ids.ts';
import { planOrganization } from '#lib/organizations/organizations.ts';
import { createCustomer } from '#lib/payment/customers.ts';
import { claimEmail, type User } from '#lib/users/users.ts';
import type { Account, SignUpBody } from './accounts.ts';

const origin = { clientIp: '2001:db8::1', userAgent: 'vitest' };

const hashes = new Map<string, Promise<string>>();

function hashOf(password: string): Promise<string> {
  const hash = hashes.get(password) ?? hashPassword(password);
  hashes.set(password, hash);

  return hash;
}

/** A user as a signup makes one. */
export async function newUser({
  email,
  firstName,
  lastName,
  timezone,
  password,
}: Omit<SignUpBody, 'organizationName' | 'paymentMethodId'>): Promise<User> {
  const now = timestamp();

  return {
    userId: newId(),
    email,
    firstName,
    lastName,
    timezone,
    authProvider: 'LOCAL',
    passwordHash: await hashOf(password),
    emailVerified: false,
    createdAt: now,
    updatedAt: now,
    lastActiveAt: now,
  };
}

/**
 * What a signup leaves, a customer at the payment provider included, written straight into the
 * table: its transaction is three quarters of what it costs.
 */
export async function plantAccount(body: SignUpBody): Promise<Account> {
  const user = await newUser(body);
  const { userId, email } = user;
  const customerId = await createCustomer({
    email,
    name: `${body.organizationName} (${body.firstName} ${body.lastName})`,
    paymentMethodId: body.paymentMethodId,
    signupAttemptId: newId(),
  });
  const { organization, writes } = planOrganization(
    { name: body.organizationName, timezone: body.timezone },
    userId,
  );
  const { organizationId } = organization;
  const session = await planSession(userId, organizationId, origin);
  const billing = {
    organizationId,
    customerId,
    billingEmail: email,
    billingName: organization.name,
  };
  await plant([
    claimEmail(email, userId),
    create(keys.user(userId), user),
    session.write,
    recordConsent(userId, origin),
    ...writes,
    ...createBillingAccount(billing, config.welcomeCredits),
  ]);

  return { userId, email, token: session.token, organizationId };
}

/** By the service's own client: some tests listen to it, to know what there is. */
async function plant(writes: readonly Write[]): Promise<void> {
  const created = writes.filter(({ kind }) => kind === 'create');
  const requests = created.map(({ key, item }) => ({ PutRequest: { Item: { ...item, ...key } } }));
  await Promise.all([
    documentClient.send(new BatchWriteCommand({ RequestItems: { [config.tableName]: requests } })),
    write(...writes.filter(({ kind }) => kind !== 'create')),
  ]);
}
