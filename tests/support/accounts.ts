import { randomUUID } from 'node:crypto';
import { signUp } from '#schemas/auth.ts';
import type { Role } from '#schemas/contract.ts';
import { call } from './api.ts';

export const password = 'correct horse battery';

export function freshEmail(name = 'ada'): string {
  return `${name}-${randomUUID()}@example.com`;
}

export function signUpBody(overrides: Readonly<Record<string, unknown>> = {}) {
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

/** A user who has signed up, with an organization of their own. */
export async function newAccount(
  overrides: Readonly<Record<string, unknown>> = {},
): Promise<Account> {
  const body = signUpBody(overrides);
  const answer = await call(signUp, { body });
  if (answer.status !== 201) {
    throw new Error(`Signup answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  }

  return {
    userId: answer.body.user.id,
    email: answer.body.user.email,
    token: answer.body.authToken,
    organizationId: answer.body.organization.id,
  };
}

/**
 * A user who has signed up, and is a member of another's organization too: that is written straight
 * into the table, as an invitation takes ten times as long.
 */
export async function newMember(owner: Account, role: Role): Promise<Account> {
  const member = await newAccount();
  // Loaded late: some tests put a proxy before the table, and the client is made as it loads.
  const { seat } = await import('./seat.ts');
  await seat(owner.organizationId, member.userId, role);

  return member;
}
