import { hourMs, now } from '#lib/platform/clock.ts';
import { networkApp } from '#lib/vendors/networks/network-app.ts';
import { tryParseWithLongIds } from '#lib/vendors/networks/parse-with-long-ids.ts';
import { hmacOf, isSignature } from '#lib/vendors/networks/signature.ts';
import type { Platform } from '#schemas/platforms.ts';
import * as z from '#schemas/zod.ts';

/** Anyone can get such a request about themselves, so it expires after this time. */
const maxAgeMs = hourMs;

const payload = z.object({
  algorithm: z.literal('HMAC-SHA256'),
  user_id: z.union([z.string().min(1).max(200), z.int().min(1).transform(String)]),
  issued_at: z.number(),
});

export type SignedRequest = {
  readonly personId: string;
  readonly issuedAt: string;
  /** Identifies this single request. */
  readonly signature: string;
};

/**
 * Reads a request that Meta signed with the app's secret: a signature and a JSON text, each in
 * base64url. Returns `undefined` if the signature or the algorithm is wrong, or the request is
 * older than an hour.
 */
export async function readSignedRequest(
  platform: Platform,
  signedRequest: string,
): Promise<SignedRequest | undefined> {
  const [signature = '', encoded = '', ...rest] = signedRequest.split('.');
  const { clientSecret } = await networkApp(platform);
  const given = Buffer.from(signature, 'base64url').toString('hex');
  if (rest.length > 0 || !isSignature(given, 'hex', hmacOf(clientSecret, encoded))) {
    return undefined;
  }
  const { data } = payload.safeParse(
    tryParseWithLongIds(Buffer.from(encoded, 'base64url').toString('utf8')),
  );
  const issuedAtMs = (data?.issued_at ?? Number.NaN) * 1_000;
  if (!data || !(Math.abs(now() - issuedAtMs) <= maxAgeMs)) {
    return undefined;
  }

  return {
    personId: data.user_id,
    issuedAt: new Date(issuedAtMs).toISOString(),
    signature: given,
  };
}
