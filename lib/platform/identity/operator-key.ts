import { createHash } from 'node:crypto';

const format = /^slo_[A-Za-z0-9_-]{43}$/;

export function isOperatorKey(token: string): boolean {
  return format.test(token);
}

/** Returns the hash of a key, as listed in the secret. */
export function hashOperatorKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}
