import { createHmac, timingSafeEqual } from 'node:crypto';

/** HMAC-SHA256 over the parts, one after another. */
export function hmacOf(secret: string, ...parts: ReadonlyArray<string | Buffer>): Buffer {
  const hmac = createHmac('sha256', secret);
  for (const part of parts) {
    hmac.update(part);
  }

  return hmac.digest();
}

/** Whether a signature that came with a delivery is the expected one, in constant time. */
export function isSignature(
  given: string | undefined,
  encoding: 'hex' | 'base64',
  expected: Buffer,
): boolean {
  const bytes = Buffer.from(given ?? '', encoding);

  return bytes.length === expected.length && timingSafeEqual(bytes, expected);
}
