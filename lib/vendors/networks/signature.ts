import { createHmac, timingSafeEqual } from 'node:crypto';

/** HMAC-SHA256 of the concatenated parts. */
export function hmacOf(secret: string, ...parts: ReadonlyArray<string | Buffer>): Buffer {
  const hmac = createHmac('sha256', secret);
  for (const part of parts) {
    hmac.update(part);
  }

  return hmac.digest();
}

/** True if a delivery's signature equals the expected one. Compares in constant time. */
export function isSignature(
  given: string | undefined,
  encoding: 'hex' | 'base64',
  expected: Buffer,
): boolean {
  const bytes = Buffer.from(given ?? '', encoding);

  return bytes.length === expected.length && timingSafeEqual(bytes, expected);
}

/** Compares two verify tokens. Comparing digests hides even the length of the expected token. */
export function isSameToken(given: string, expected: string): boolean {
  return timingSafeEqual(hmacOf('verify', given), hmacOf('verify', expected));
}
