import { randomInt } from 'node:crypto';
import { config } from '#lib/platform/config.ts';

/** Excludes letters and digits that are easily confused. */
const alphabet = '23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const codeLength = 7;

/**
 * Create the code's item in the same transaction as the link, because a code may already be taken.
 */
export function newShortCode(): string {
  return Array.from({ length: codeLength }, () => alphabet[randomInt(alphabet.length)]).join('');
}

export function shortUrlOf({ shortCode }: { readonly shortCode: string }): string {
  return `${config.publicBaseUrl}/b/${shortCode}`;
}
