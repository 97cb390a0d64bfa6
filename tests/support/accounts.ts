import type { Role } from '#schemas/contract.ts';
import { type Account, type SignUpBody, signUpBody } from '#scripts/fixtures/accounts.ts';

export {
  type Account,
  freshEmail,
  password,
  type SignUpBody,
  signUpBody,
} from '#scripts/fixtures/accounts.ts';

/** Creates a user with an organization, like a signup. */
export async function newAccount(overrides: Partial<SignUpBody> = {}): Promise<Account> {
  // Imported late, because some tests put a proxy in front of the table, and the client is created
  // at load time.
  const { plantAccount } = await import('#scripts/fixtures/planted-account.ts');

  return plantAccount(signUpBody(overrides));
}

/** Creates a user who has opened the mailed link to verify the address. */
export async function newVerifiedAccount(): Promise<Account> {
  const account = await newAccount();
  const { verify } = await import('#scripts/fixtures/planted-account.ts');
  await verify(account.userId);

  return account;
}

/**
 * Creates a user who is also a member of another organization. Writes directly to the table,
 * because an invitation takes ten times as long.
 */
export async function newMember(owner: Account, role: Role): Promise<Account> {
  const member = await newAccount();
  const { seat } = await import('#scripts/fixtures/seat.ts');
  await seat(owner.organizationId, member.userId, role);

  return member;
}
