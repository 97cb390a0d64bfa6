import { randomUUID } from 'node:crypto';
import type { Role } from '#schemas/contract.ts';

export const password = 'correct horse battery';

export function freshEmail(name = 'ada'): string {
  return `${name}-${randomUUID()}@example.com`;
}

/** What somebody signs up with. */
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
  /** The organization that was made at signup. */
  readonly organizationId: string;
};

/** A user as they are after they signed up, with an organization of their own. */
export async function newAccount(overrides: Partial<SignUpBody> = {}): Promise<Account> {
  // Loaded late: some tests put a proxy before the table, and the client is made as it loads.
  const { plantAccount } = await import('./planted-account.ts');

  return plantAccount(signUpBody(overrides));
}

/**
 * A user who has signed up, and is a member of another's organization too: that is written straight
 * into the table, as an invitation takes ten times as long.
 */
export async function newMember(owner: Account, role: Role): Promise<Account> {
  const member = await newAccount();
  const { seat } = await import('./seat.ts');
  await seat(owner.organizationId, member.userId, role);

  return member;
}
