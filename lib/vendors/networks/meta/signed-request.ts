import { parseJson } from '#lib/platform/parse-json.ts';
import { networkApp } from '#lib/vendors/networks/network-app.ts';
import { hmacOf, isSignature } from '#lib/vendors/networks/signature.ts';
import type { Platform } from '#schemas/platforms.ts';
import * as z from '#schemas/zod.ts';

const payload = z.object({
  algorithm: z.literal('HMAC-SHA256'),
  user_id: z.coerce.string().min(1).max(200),
  issued_at: z.number().optional(),
});

export type SignedRequest = { readonly personId: string; readonly issuedAt: string | undefined };

/**
 * Reads a request that Meta signed with the app's secret: a signature and a JSON text, each in
 * base64url. Returns `undefined` if the signature or the algorithm is wrong.
 */
export async function readSignedRequest(
  platform: Platform,
  signedRequest: string,
): Promise<SignedRequest | undefined> {
  const [signature = '', encoded = '', ...rest] = signedRequest.split('.');
  const { clientSecret } = await networkApp(platform);
  const given = Buffer.from(signature, 'base64url').toString('hex');
  const isSigned = isSignature(given, 'hex', hmacOf(clientSecret, encoded));
  const { data } = payload.safeParse(parseJson(Buffer.from(encoded, 'base64url').toString('utf8')));
  if (!isSigned || rest.length > 0 || !data) {
    return undefined;
  }
  const { user_id: personId, issued_at: seconds } = data;

  return { personId, issuedAt: timeOf(seconds) };
}

function timeOf(seconds: number | undefined): string | undefined {
  const time = new Date((seconds ?? Number.NaN) * 1_000);

  return Number.isNaN(time.getTime()) ? undefined : time.toISOString();
}
