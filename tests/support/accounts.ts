import { randomUUID } from 'node:crypto';
import { signUp } from '#schemas/auth.ts';
import type { Role } from '#schemas/contract.ts';
import { acceptInvitation, inviteMember } from '#schemas/organizations.ts';
import { call } from './api.ts';
import { mailsTo, tokenIn } from './mails.ts';

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

/** A user who has accepted an invitation of `inviter`'s, into the inviter's organization. */
export async function newMember(inviter: Account, role: Role): Promise<Account> {
  const member = await newAccount();
  const params = { organization_id: inviter.organizationId };
  const body = { email: member.email, role };
  const invited = await call(inviteMember, { params, body, token: inviter.token });
  if (invited.status !== 201) {
    throw new Error(`The invitation answered ${invited.status}: ${JSON.stringify(invited.body)}`);
  }
  const [mail] = await mailsTo(member.email);
  const accepted = await call(acceptInvitation, {
    body: { token: tokenIn(mail) },
    token: member.token,
  });
  if (accepted.status !== 200) {
    throw new Error(`Accepting answered ${accepted.status}: ${JSON.stringify(accepted.body)}`);
  }

  return member;
}
