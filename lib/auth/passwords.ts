import bcrypt from 'bcryptjs';
import { config } from '#lib/config.ts';
import { newOneTimeToken } from '#lib/crypto/one-time-token.ts';

/** bcrypt, with the cost of BCRYPT_COST. Passwords over 72 bytes are refused before they get here. */
export function hashPassword(password: string): Promise<string> {
  if (bcrypt.truncates(password)) {
    throw new Error('A password over 72 bytes must not be hashed');
  }

  return bcrypt.hash(password, config.bcryptCost);
}

let decoy: Promise<string> | undefined;

/**
 * Whether the password is the one of the hash. Without a hash, for an unknown user, it takes as
 * long and says no.
 */
export async function verifyPassword(password: string, hash: string | undefined): Promise<boolean> {
  decoy ??= hashPassword(newOneTimeToken());
  const matches = await bcrypt.compare(password, hash ?? (await decoy));

  return matches && hash !== undefined && !bcrypt.truncates(password);
}
