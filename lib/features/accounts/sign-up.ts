import type { Alongside } from '#lib/platform/db/write.ts';
import type * as contracts from '#schemas/auth.ts';
import type { BodyOf } from '#schemas/contract.ts';
import { rejectCommonPassword } from './common-passwords.ts';
import { hashPassword } from './passwords.ts';
import { type Registered, register } from './register.ts';
import type { Origin } from './sessions.ts';

/**
 * Registers a user with a password.
 *
 * @throws 400 if the password is too common, and the errors of `register`.
 */
export async function signUp(
  { password, ...account }: BodyOf<typeof contracts.signUp>,
  origin: Origin,
  alongside: Alongside<Registered>,
): Promise<Registered> {
  rejectCommonPassword('password', password);
  const credential = async () => ({ passwordHash: await hashPassword(password) });

  return register(account, { credential, isEmailProven: false }, origin, alongside);
}
