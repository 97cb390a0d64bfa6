import bcrypt from 'bcryptjs';
import { config } from '#lib/platform/config.ts';
import { unmatchableHash } from './unmatchable-hash.ts';

let latest: Promise<unknown> = Promise.resolve();

/**
 * Runs hashing tasks one after the other. bcryptjs yields to the event loop every 100 ms. With one
 * task, the process stays responsive. With twenty, vendor calls would time out.
 */
function inTurn<T>(task: () => Promise<T>): Promise<T> {
  const result = latest.then(task);
  latest = result.catch(() => undefined);

  return result;
}

/**
 * Hashes with bcrypt, at the cost from BCRYPT_COST. Callers must reject passwords over 72 bytes.
 */
export function hashPassword(password: string): Promise<string> {
  if (bcrypt.truncates(password)) {
    throw new Error('A password over 72 bytes must not be hashed');
  }

  return inTurn(() => bcrypt.hash(password, config.bcryptCost));
}

/**
 * Returns true if the password matches the hash. For an unknown user without a hash, takes the same
 * time and returns false.
 */
export async function verifyPassword(password: string, hash: string | undefined): Promise<boolean> {
  const matches = await inTurn(() => bcrypt.compare(password, hash ?? unmatchableHash()));

  return matches && hash !== undefined && !bcrypt.truncates(password);
}
