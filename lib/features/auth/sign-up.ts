import type { ExtraWrites } from '#lib/platform/db/write.ts';
import type * as contracts from '#schemas/auth.ts';
import type { BodyOf } from '#schemas/contract.ts';
import { hashPassword } from './passwords.ts';
import { type Registered, register } from './register.ts';
import type { Origin } from './sessions.ts';

/** Registers a user with a password. @throws the errors of `register`. */
export async function signUp(
  { password, ...account }: BodyOf<typeof contracts.signUp>,
  origin: Origin,
  extraWrites: ExtraWrites<Registered>,
): Promise<Registered> {
  const credential = async () => ({ passwordHash: await hashPassword(password) });

  return register(account, { credential, isEmailProven: false }, origin, extraWrites);
}
