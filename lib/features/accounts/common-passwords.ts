import { badRequest } from '#lib/platform/errors/failures.ts';
import { mostCommonPasswords } from './most-common-passwords.ts';

let known: ReadonlySet<string> | undefined;

/** @throws 400 naming the field for one of the 10,000 most common passwords, ignoring case. */
export function rejectCommonPassword(field: string, password: string): void {
  known ??= new Set(mostCommonPasswords.trim().split(/\s+/));
  if (known.has(password.toLowerCase())) {
    throw badRequest(`${field} is too common`);
  }
}
