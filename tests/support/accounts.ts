import { randomUUID } from 'node:crypto';
import type { Role } from '#schemas/contract.ts';

export const password = 'correct horse battery';

export function freshEmail(name = 'ada'): string {
  return `${name}-${randomUUID()}@example.com`;
}

/** The body of a signup request. */
export type SignUpBody = {
  readonly email: string;
  readonly password: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly organizationName: string;
  readonly timezone: string;
  readonly paymentMethodId: string;
};

export function signUpBody<Overrides extends object>(
  overrides: Overrides = {} as Overrides,
): SignUpBody & Overrides {
  return {
    email: freshEmail(),
    password,
    firstName: 'Ada',
    lastName: 'Lovelace',
    organizationName: 'Analytical Engines',
    timezone: 'Europe/London',
    paymentMethodId: 'pm_card_visa',
    ...overrides,
  };
}

export type Account = {
  readonly userId: string;
  readonly email: string;
  readonly token: string;
  /** The organization created at signup. */
  readonly organizationId: string;
};

/** Creates a user with their own organization, as a signup does. */
export async function newAccount(overrides: Partial<SignUpBody> = {}): Promise<Account> {
  // Imported late: some tests put a proxy in front of the table, and the client is created at load
  // time.
  const { plantAccount } = await import('./planted-account.ts');

  return plantAccount(signUpBody(overrides));
}

/**
 * Creates a user who is also a member of another organization. Writes directly to the table because
 * an invitation takes ten times as long.
 */
export async function newMember(owner: Account, role: Role): Promise<Account> {
  const member = await newAccount();
  const { seat } = await import('./seat.ts');
  await seat(owner.organizationId, member.userId, role);

  return member;
}
