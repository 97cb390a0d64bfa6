import bcrypt from 'bcryptjs';
import { config } from '#lib/platform/config.ts';

/** bcrypt, with the cost of BCRYPT_COST. Passwords over 72 bytes are refused before they get here. */
export function hashPassword(password: string): Promise<string> {
  if (bcrypt.truncates(password)) {
    throw new Error('A password over 72 bytes must not be hashed');
  }

  return bcrypt.hash(password, config.bcryptCost);
}

/** A hash that no password has, of today's cost: it takes as long to compare with as a real one. */
function decoyHash(): string {
  const cost = String(config.bcryptCost).padStart(2, '0');

  return `$2b$${cost}$${'.'.repeat(53)}`;
}

/**
 * Whether the password is the one of the hash. Without a hash, for an unknown user, it takes as
 * long and says no.
 */
export async function verifyPassword(password: string, hash: string | undefined): Promise<boolean> {
  const matches = await bcrypt.compare(password, hash ?? decoyHash());

  return matches && hash !== undefined && !bcrypt.truncates(password);
}
